// warpgrade: saxpy
// Does not compile: a name that was never declared, and a missing semicolon.

__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = alfa * x[i] + y[i]
}
