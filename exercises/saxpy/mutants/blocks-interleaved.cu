// Every element has its thread, but the threads of a warp work on elements that lie gridDim.x apart:
// each of their accesses is a sector of its own.
__global__ void saxpy(int n, float alpha, const float *x, float *y)
{
    int i = threadIdx.x * gridDim.x + blockIdx.x;
    if (i < n)
        y[i] = alpha * x[i] + y[i];
}
