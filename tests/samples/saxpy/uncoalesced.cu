// warpgrade: saxpy
// Right, and slow: the blocks share the vector out among their threads as one deals cards.

__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    int i = threadIdx.x * gridDim.x + blockIdx.x;
    if (i < n)
        y[i] = alpha * x[i] + y[i];
}
