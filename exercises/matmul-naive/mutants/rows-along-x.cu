// Right, but neighbouring threads own neighbouring rows: their elements lie width floats apart.
__global__ void matmul(const float *M, const float *N, float *P, int width)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= width || col >= width)
        return;
    float sum = 0.0f;
    for (int i = 0; i < width; i++)
        sum += M[row * width + i] * N[i * width + col];
    P[row * width + col] = sum;
}
