// warpgrade: transpose
#define TILE 32
#define ROWS 8
__global__ void transpose(const float *in, float *out, int width, int height)
{
    // columns are exchanged by shuffles in quarters, then through a padded tile
    __shared__ float2 pairs[TILE][TILE / 2 + 1];
    int lane = threadIdx.x;
    int left = blockIdx.x * TILE, top = blockIdx.y * TILE;
    for (int y = threadIdx.y; y < TILE; y += ROWS) {
        float v = left + lane < width && top + y < height
                      ? in[(long)(top + y) * width + left + lane] : 0.0f;
        float o = __shfl_xor_sync(0xffffffffu, v, 1);
        if (!(lane & 1))
            pairs[y][lane / 2] = make_float2(v, o);
    }
    __syncthreads();
    for (int x = threadIdx.y; x < TILE; x += ROWS) {
        float2 p = pairs[lane][x / 2];
        if (left + x < width && top + lane < height)
            out[(long)(left + x) * height + top + lane] = x & 1 ? p.y : p.x;
    }
}
