// sim --grid 2,2 --block 16,16 --arg i32*1024=iota:const --arg i32*1024=uninit
__global__ void k(const int *a, int *b) {
    __shared__ int s[16][17];
    s[threadIdx.y][threadIdx.x] = a[(blockIdx.y * 16 + threadIdx.y) * 32 + blockIdx.x * 16 + threadIdx.x];
    __syncthreads();
    b[(blockIdx.x * 16 + threadIdx.y) * 32 + blockIdx.y * 16 + threadIdx.x] = s[threadIdx.x][threadIdx.y];
}
