// sim --grid 1 --block 32,2 --arg i32*64=iota:const --arg i32*64=uninit
// advises `__syncwarp()` between one
__global__ void k(const int *a, int *b) {
    __shared__ int s[2][32];
    s[threadIdx.y][threadIdx.x] = a[threadIdx.y * 32 + threadIdx.x];
    b[threadIdx.y * 32 + threadIdx.x] = s[threadIdx.y][threadIdx.x * 7 % 32]; // HAZARD shared-race error
}
