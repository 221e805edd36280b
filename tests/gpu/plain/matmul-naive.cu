// warpgrade: matmul-naive
// A thread an element.
__global__ void matmul(const float *M, const float *N, float *P, int width)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= width || column >= width)
        return;
    float sum = 0.0f;
    for (int k = 0; k < width; k++)
        sum += M[row * width + k] * N[k * width + column];
    P[row * width + column] = sum;
}
