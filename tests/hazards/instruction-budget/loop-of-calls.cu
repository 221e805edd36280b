// sim --grid 1 --block 1 --arg i32*1=zero --budget 100000
// expect instruction-budget error
__device__ __noinline__ int step(int x) {
    return x ^ 1;
}
__global__ void k(int *a) {
    int x = 0;
    while (x < 2)
        x = step(x);
    a[0] = x;
}
