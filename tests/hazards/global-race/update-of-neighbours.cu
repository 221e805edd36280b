// sim --grid 2 --block 32 --arg 'i32[64]=iota' --arg 'i32[68]=zero' --arg i32=5
// advises an atomic such as `atomicAdd()`
// advises never one writer
__global__ void k(const int *x, int *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 0; j < n; j++)
        y[i + j] += x[i]; // HAZARD global-race error
}
