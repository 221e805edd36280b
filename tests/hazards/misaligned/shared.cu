// sim --grid 1 --block 8 --arg i32*8=zero --arg i32=1
__global__ void k(int *b, int shift) {
    __shared__ __align__(16) unsigned char s[64];
    s[threadIdx.x * 4] = s[threadIdx.x * 4 + 1] = s[threadIdx.x * 4 + 2] = s[threadIdx.x * 4 + 3] = 1;
    s[32 + threadIdx.x] = 0;
    __syncthreads();
    b[threadIdx.x] = *(int *)(s + 4 * threadIdx.x + shift); // HAZARD misaligned error
}
