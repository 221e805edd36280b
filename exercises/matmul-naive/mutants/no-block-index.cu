// threadIdx alone numbers the threads of one block.
__global__ void matmul(const float *M, const float *N, float *P, int width)
{
    int row = threadIdx.y;
    int col = threadIdx.x;
    if (row >= width || col >= width)
        return;
    float sum = 0.0f;
    for (int i = 0; i < width; i++)
        sum += M[row * width + i] * N[i * width + col];
    P[row * width + col] = sum;
}
