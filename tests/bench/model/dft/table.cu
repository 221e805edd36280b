// As plain, but row and a table of all sines and cosines stand in shared memory.
__global__ void transform(const float *in, float2 *out)
{
    __shared__ float row[256];
    __shared__ float2 turns[256];
    int k = threadIdx.x;
    row[k] = in[(size_t)blockIdx.x * 256 + k];
    sincospif(-k / 128.0f, &turns[k].y, &turns[k].x);
    __syncthreads();
    float real = 0.0f, imaginary = 0.0f;
    for (int t = 0; t < 256; t++) {
        float2 turn = turns[k * t % 256];
        real += row[t] * turn.x;
        imaginary += row[t] * turn.y;
    }
    out[(size_t)blockIdx.x * 256 + k] = make_float2(real, imaginary);
}
