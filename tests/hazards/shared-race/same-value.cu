// sim --grid 1 --block 64 --arg i32*64=iota:const --arg i32*1=uninit
// says both write the same value
__global__ void k(const int *a, int *b) {
    __shared__ int found;
    if (threadIdx.x == 0)
        found = 0;
    __syncthreads();
    if (a[threadIdx.x] % 5 == 3)
        found = 1; // HAZARD shared-race warning
    __syncthreads();
    if (threadIdx.x == 0)
        *b = found;
}
