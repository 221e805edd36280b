// warpgrade: saxpy
// Wrong: blocks take the parts of the vectors in the order in which they come, but not the whole of
// one part. It looks right where blocks start in the order of their numbers, which is not guaranteed.
__device__ unsigned parts_taken;

__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    __shared__ unsigned part;
    if (threadIdx.x == 0)
        part = atomicInc(&parts_taken, gridDim.x - 1);
    __syncthreads();
    int from = part * blockDim.x + threadIdx.x;
    int to = blockIdx.x * blockDim.x + threadIdx.x;
    if (from < n && to < n)
        y[to] = alpha * x[from] + y[to];
}
