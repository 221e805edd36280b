// Reads rows, writes columns.
__global__ void transpose(const float *in, float *out, int width)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        out[x * width + y + j] = in[(y + j) * width + x];
}
