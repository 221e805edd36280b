// warpgrade: saxpy
// aim: overflow the simulator's own stack by recursion in the kernel
// defence: a call's depth is the simulated device's, and its stack has a size
// verdict: crash
// says: stack-overflow
__device__ __noinline__ int deeper(volatile int *n) {
    volatile int here = *n;
    return deeper(n) + here;
}
__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    y[0] = deeper(&n);
}
