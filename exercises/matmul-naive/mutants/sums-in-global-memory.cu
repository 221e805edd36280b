// Right, but each step reads and writes P where a register is enough.
__global__ void matmul(const float *M, const float *N, float *P, int width)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= width || col >= width)
        return;
    P[row * width + col] = 0.0f;
    for (int i = 0; i < width; i++)
        P[row * width + col] += M[row * width + i] * N[i * width + col];
}
