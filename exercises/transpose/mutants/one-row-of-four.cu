// 256 threads, 1024 elements.
#define TILE 32
#define ROWS 8

__global__ void transpose(const float *in, float *out, int width, int height)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < height)
        tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    if (x < width && y < height)
        out[x * height + y] = tile[threadIdx.y][threadIdx.x];
}
