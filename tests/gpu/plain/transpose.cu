// warpgrade: transpose
// A tile whose rows are a word longer, so that a column lies across all banks.
#define TILE 32
#define ROWS 8

__global__ void transpose(const float *in, float *out, int width, int height)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += ROWS)
        if (x < width && y + k < height)
            tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += ROWS)
        if (x < height && y + k < width)
            out[(y + k) * height + x] = tile[threadIdx.x][threadIdx.y + k];
}
