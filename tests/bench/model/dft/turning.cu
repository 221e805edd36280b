// As plain, but the row stands in shared memory, and each angle's sine and cosine come from the last one's by a
// product of complex numbers.
__global__ void transform(const float *in, float2 *out)
{
    __shared__ float row[256];
    int k = threadIdx.x;
    row[k] = in[(size_t)blockIdx.x * 256 + k];
    __syncthreads();
    float step_x, step_y, x = 1.0f, y = 0.0f, real = 0.0f, imaginary = 0.0f;
    sincospif(-k / 128.0f, &step_y, &step_x);
    for (int t = 0; t < 256; t++) {
        real += row[t] * x;
        imaginary += row[t] * y;
        float turned = x * step_x - y * step_y;
        y = x * step_y + y * step_x;
        x = turned;
    }
    out[(size_t)blockIdx.x * 256 + k] = make_float2(real, imaginary);
}
