// warpgrade: saxpy
// Wrong: all threads of a block keep their product in one shared variable. The optimiser keeps it in
// a register, so that the results are right today.
__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    __shared__ float product;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        product = alpha * x[i];
        y[i] = product + y[i];
    }
}
