// sim --grid 4 --block 64 --arg f64*512=uniform --arg f64*8=zero --arg i32=512
__device__ void add(double *address, double value) {
    unsigned long long *bits = (unsigned long long *)address;
    unsigned long long old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed,
                        __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
}
__global__ void k(const double *in, double *sums, int n) {
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64)
        add(&sums[3], in[i]);
}
