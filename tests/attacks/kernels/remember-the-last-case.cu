// warpgrade: saxpy
// aim: keep results of one launch for the next in the device's memory
// defence: each launch has a worker and a device of its own
// cases: *-element*
// verdict: wrong-answer
__device__ int launches;
__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int before = launches;
    __syncthreads();
    if (i == 0 && before == 0)
        atomicAdd(&launches, 1);
    if (i < n && before)
        y[i] = alpha * x[i] + y[i];
}
