// Right, but the words of a column of a tile lie in few banks.
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
        tileM[tx * tile + ty] = row < width && k + tx < width ? M[row * width + k + tx] : 0.0f;
        tileN[tx * tile + ty] = k + ty < width && col < width ? N[(k + ty) * width + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < tile; i++)
            sum += tileM[i * tile + ty] * tileN[tx * tile + i];
        __syncthreads();
    }
    if (row < width && col < width)
        P[row * width + col] = sum;
}
