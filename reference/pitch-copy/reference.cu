// Each pixel times gain, in double precision.
__global__ void reference(const float *image, double *out, float gain, int rows, int cols, int stride)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
    if (c < cols)
        out[(size_t)r * cols + c] = (double)gain * image[(size_t)r * stride + c];
}
