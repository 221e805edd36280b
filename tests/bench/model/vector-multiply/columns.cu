// The vector taken as a matrix of 1024 columns and walked through down its columns: each lane has a
// sector of its own. n is a multiple of 1024.
__global__ void vector_multiply(float *a, const float *b, const float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int rows = n / 1024;
    if (i < n) {
        int j = i % rows * 1024 + i / rows;
        a[j] = b[j] * c[j];
    }
}
