// warpgrade: saxpy
// Subtly wrong: one element, the last, keeps its old value.

__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1)
        y[i] = alpha * x[i] + y[i];
}
