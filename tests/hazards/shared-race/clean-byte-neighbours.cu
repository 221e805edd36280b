// sim --grid 1 --block 64 --arg u8*64=iota:const --arg u8*64=uninit
__global__ void k(const unsigned char *a, unsigned char *b) {
    __shared__ unsigned char s[64];
    s[threadIdx.x] = a[threadIdx.x];
    s[threadIdx.x] += 1;
    __syncthreads();
    b[threadIdx.x] = s[63 - threadIdx.x];
}
