// sim --grid 2 --block 64 --arg f64*1=zero
__device__ double add(double *address, double value) {
    unsigned long long *bits = (unsigned long long *)address, old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
__global__ void k(double *sum) {
    add(sum, threadIdx.x);
}
__global__ void check(double *sum) {
    if (*sum != 64 * 63)
        __trap();
}
