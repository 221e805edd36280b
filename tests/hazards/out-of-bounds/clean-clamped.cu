// sim --grid 1 --block 64 --arg i32*64=iota:const --arg i32*64=uninit
__global__ void k(const int *a, int *b) {
    int t = threadIdx.x;
    b[t] = a[max(t - 3, 0)] + a[min(t + 3, 63)];
}
