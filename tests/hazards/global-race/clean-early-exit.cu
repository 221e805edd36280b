// sim --grid 2 --block 64 --arg i32*100=iota --arg i32=100
__global__ void k(int *a, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n)
        return;
    unsigned here = __activemask();
    int x = a[i];
    __syncwarp(here);
    int y = a[i ^ 1];
    __syncwarp(here);
    a[i] = x + y;
}
