// Naive, with x and y swapped: neighbouring lanes take neighbouring rows.
__global__ void matmul(const float *M, const float *N, float *P, int width)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= width || col >= width)
        return;
    float sum = 0.0f;
    for (int k = 0; k < width; k++)
        sum += M[row * width + k] * N[k * width + col];
    P[row * width + col] = sum;
}
