// sim --grid 1 --block 128 --arg i32*1=zero
// both builds
__global__ void k(int *out) {
    __shared__ int c;
    if (threadIdx.x == 0) c = 0;
    __syncthreads();
    if (atomicAdd(&c, 1) == 127) {
        c = 0;
        *out = c;
    }
}
