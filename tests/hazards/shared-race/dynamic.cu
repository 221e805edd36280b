// sim --grid 2 --block 64 --shared 512 --arg i32*128=uninit
// says s
extern __shared__ int s[];
__global__ void k(int *b) {
    int *second = s + 64;
    s[threadIdx.x] = threadIdx.x;
    second[threadIdx.x] = 7;
    __syncthreads();
    s[threadIdx.x] = 1;
    b[blockIdx.x * 64 + threadIdx.x] = s[(threadIdx.x + 32) % 64] + second[threadIdx.x]; // HAZARD shared-race error
}
// maybe shared-race
