// sim --grid 1 --block 32 --arg i32*33=iota:const --arg i32*32=uninit
// says a write of s[1] by thread (1, 0, 0) and a read by thread (0, 0, 0)
__global__ void k(const int *a, int *b) {
    __shared__ int s[33];
    s[threadIdx.x] = a[threadIdx.x];
    if (threadIdx.x == 0)
        s[32] = 0;
    __syncthreads();
    int sum = s[threadIdx.x] + s[threadIdx.x + 1];
    s[threadIdx.x] = sum; // HAZARD shared-race error
    __syncthreads();
    b[threadIdx.x] = s[31 - threadIdx.x];
}
