// Right, but a block has 16 threads, and an element serves four of them.
#define TILE_WIDTH 4

__global__ void matmul(const float *M, const float *N, float *P, int j, int k, int l)
{
    __shared__ float tileM[TILE_WIDTH][TILE_WIDTH];
    __shared__ float tileN[TILE_WIDTH][TILE_WIDTH];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE_WIDTH + ty;
    int col = blockIdx.x * TILE_WIDTH + tx;
    float sum = 0.0f;
    for (int first = 0; first < k; first += TILE_WIDTH) {
        tileM[ty][tx] = row < j && first + tx < k ? M[row * k + first + tx] : 0.0f;
        tileN[ty][tx] = first + ty < k && col < l ? N[(first + ty) * l + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE_WIDTH; i++)
            sum += tileM[ty][i] * tileN[i][tx];
        __syncthreads();
    }
    if (row < j && col < l)
        P[row * l + col] = sum;
}
