// sim --grid 1 --block 32 --shared 300000 --arg i32*4=zero
// expect invalid-launch error
__global__ void k(int *a) {
    extern __shared__ int s[];
    s[threadIdx.x] = 1;
}
