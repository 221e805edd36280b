// Right where the width is a multiple of the tile, and only there.
__global__ void matmul(const float *M, const float *N, float *P, int width, int tile)
{
    extern __shared__ float pool[];
    float *tileM = pool;
    float *tileN = pool + tile * tile;
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * tile + ty;
    int col = blockIdx.x * tile + tx;
    float sum = 0.0f;
    for (int k = 0; k < width; k += tile) {
        tileM[ty * tile + tx] = M[row * width + k + tx];
        tileN[ty * tile + tx] = N[(k + ty) * width + col];
        __syncthreads();
        for (int i = 0; i < tile; i++)
            sum += tileM[ty * tile + i] * tileN[i * tile + tx];
        __syncthreads();
    }
    if (row < width && col < width)
        P[row * width + col] = sum;
}
