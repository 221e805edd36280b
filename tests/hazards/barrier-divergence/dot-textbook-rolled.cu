// sim --grid 1 --block 256 --arg f32*256=iota --arg f32*256=iota --arg f32*1=zero
__global__ void k(const float *a, const float *b, float *c) {
    __shared__ float s[256];
    int tid = threadIdx.x;
    s[tid] = a[tid] * b[tid];
    __syncthreads();
#pragma unroll 1
    for (int i = blockDim.x / 2; i > 0; i /= 2)
        if (tid < i) {
            s[tid] += s[tid + i];
            __syncthreads(); // HAZARD barrier-divergence error
        }
    if (tid == 0)
        *c = s[0];
}
// maybe shared-race
