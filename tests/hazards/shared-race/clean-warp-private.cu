// sim --grid 1 --block 32,4 --arg i32*128=iota:const --arg i32*128=uninit
__global__ void k(const int *a, int *b) {
    __shared__ int s[4][32];
    int x = threadIdx.x, y = threadIdx.y;
    s[y][x] = a[y * 32 + x];
    __syncwarp();
    int v = s[y][31 - x];
    __syncwarp();
    s[y][x] = v;
    __syncwarp();
    b[y * 32 + x] = s[y][x ^ 1];
}
