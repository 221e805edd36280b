// No transpose at all: what the same bytes cost when both sides are coalesced.
__global__ void transpose(const float *in, float *out, int width)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        out[(y + j) * width + x] = in[(y + j) * width + x];
}
