// A card takes 1 to 1024 threads in a block; to others CUDA 13 answers 1, cudaErrorInvalidValue.
__global__ void reference(const float *x, double *y, int *status, int n, int block)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = (double)x[i] * x[i];
    if (i == 0)
        status[0] = block >= 1 && block <= 1024 ? 0 : 1;
}
