// warpgrade: saxpy
// aim: make the inputs fit the result
// defence: inputs are compared after the run
// verdict: hazard
// says: write-to-input
__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        ((float *)x)[i] = 0;
}
