// warpgrade: transpose
#define TILE 32
#define ROWS 8
// swizzled tile: the column is xored with the row, so that no padding is needed
__global__ void transpose(const float *in, float *out, int width, int height)
{
    __shared__ float t[TILE * TILE];
    const int c = threadIdx.x;
    for (int r = threadIdx.y; r < TILE; r += ROWS) {
        int row = blockIdx.y * TILE + r, col = blockIdx.x * TILE + c;
        if (row >= height || col >= width)
            continue;
        t[r * TILE + (c ^ r)] = in[(size_t)row * width + col];
    }
    __syncthreads();
    for (int r = threadIdx.y; r < TILE; r += ROWS) {
        int row = blockIdx.x * TILE + r, col = blockIdx.y * TILE + c;
        if (row >= width || col >= height)
            continue;
        out[(size_t)row * height + col] = t[c * TILE + (r ^ c)];
    }
}
