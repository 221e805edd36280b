// P += ... needs a P to start from.
__global__ void matmul(const float *M, const float *N, float *P, int width)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= width || col >= width)
        return;
    for (int i = 0; i < width; i++)
        P[row * width + col] += M[row * width + i] * N[i * width + col];
}
