// sim --grid 1 --block 64 --device-debug --arg i32*64=zero
__global__ void k(int *a) {
    __shared__ int s;
    if (threadIdx.x == 0)
        s = 0;
    if (threadIdx.x != 0)
        atomicAdd(&s, 1); // HAZARD shared-race error
    __syncthreads();
    a[threadIdx.x] = s;
}
