// Right, but nothing is reused.
#define TILE_WIDTH 16

__global__ void matmul(const float *M, const float *N, float *P, int j, int k, int l)
{
    int row = blockIdx.y * TILE_WIDTH + threadIdx.y;
    int col = blockIdx.x * TILE_WIDTH + threadIdx.x;
    if (row >= j || col >= l)
        return;
    float sum = 0.0f;
    for (int i = 0; i < k; i++)
        sum += M[row * k + i] * N[i * l + col];
    P[row * l + col] = sum;
}
