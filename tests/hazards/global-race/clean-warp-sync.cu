// sim --grid 2 --block 64 --arg i32*128=iota
__global__ void k(int *a) {
    int *own = a + blockIdx.x * 64 + threadIdx.x / 32 * 32, lane = threadIdx.x % 32;
    for (int i = 0; i < 4; i++) {
        int x = own[31 - lane];
        __syncwarp();
        own[lane] = x + i;
        __syncwarp();
    }
}
