// sim --grid 1 --block 64 --arg i32*64=uninit
__global__ void k(int *b) {
    __shared__ int base[2];
    int w = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (lane == 0)
        base[w] = 3;
    __syncwarp();
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += base[w];
        __syncwarp();
        if (lane == i)
            base[w] = i;
        __syncwarp();
    }
    b[threadIdx.x] = sum + base[w];
}
