// sim --grid 1 --block 1 --arg f32*1=const:-1 --budget 100000000
__device__ __noinline__ double factorial(double n) {
    return n == 0 ? 1 : sqrt(n * factorial(n - 1)) + n; // HAZARD stack-overflow error
}
__global__ void k(float *a) {
    a[0] = factorial(a[0]);
}
