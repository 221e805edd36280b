// sim --grid 1 --block 64 --arg i32*64=iota:const --arg i32*64=uninit
__global__ void k(const int *a, int *b) {
    __shared__ int found;
    __shared__ unsigned char s[64];
    s[threadIdx.x] = a[threadIdx.x];
    if (threadIdx.x == 0)
        found = 0;
    __syncthreads();
    if (a[threadIdx.x] % 5 == 3)
        found = 0x01020304; // HAZARD shared-race warning
    __syncthreads();
    b[threadIdx.x] = found + s[63 - threadIdx.x];
}
