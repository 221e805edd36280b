// sim --grid 1 --block 64 --arg u8*64=iota:const --arg u8*64=uninit
__global__ void k(const unsigned char *a, unsigned char *b) {
    __shared__ unsigned char s[64];
    s[threadIdx.x] = 0;
    __syncthreads();
    s[threadIdx.x / 2] = a[threadIdx.x]; // HAZARD shared-race error
    __syncthreads();
    b[threadIdx.x] = s[threadIdx.x];
}
