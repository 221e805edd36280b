// A thread an element, everything from global memory.
__global__ void matmul(const float *M, const float *N, float *P, int width)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= width || col >= width)
        return;
    float sum = 0.0f;
    for (int k = 0; k < width; k++)
        sum += M[row * width + k] * N[k * width + col];
    P[row * width + col] = sum;
}
