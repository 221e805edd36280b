// warpgrade: matmul-dynamic-tile
// Two tiles in one pool.
__global__ void matmul(const float *M, const float *N, float *P, int width, int tile)
{
    extern __shared__ float pool[];
    float *m = pool;
    float *n = pool + tile * tile;
    int x = threadIdx.x;
    int y = threadIdx.y;
    int row = blockIdx.y * tile + y;
    int column = blockIdx.x * tile + x;
    float sum = 0.0f;
    for (int start = 0; start < width; start += tile) {
        bool in_m = row < width && start + x < width;
        bool in_n = start + y < width && column < width;
        m[y * tile + x] = in_m ? M[row * width + start + x] : 0.0f;
        n[y * tile + x] = in_n ? N[(start + y) * width + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < tile; k++)
            sum += m[y * tile + k] * n[k * tile + x];
        __syncthreads();
    }
    if (row < width && column < width)
        P[row * width + column] = sum;
}
