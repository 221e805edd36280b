// As on a processor with few threads: each thread has a chunk of neighbouring elements. The
// 32 threads of a warp are then in 32 places at once.
#define BLOCKS 160

__global__ void saxpy(int n, float alpha, const float *x, float *y)
{
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int stride = gridDim.x * blockDim.x;
    int chunk = (n + stride - 1) / stride;
    int end = min((first + 1) * chunk, n);
    for (int i = first * chunk; i < end; i++)
        y[i] = alpha * x[i] + y[i];
}
