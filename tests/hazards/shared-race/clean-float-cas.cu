// sim --grid 1 --block 128 --arg f32*128=iota:const --arg f32*2=uninit
__device__ float atomic_max(float *address, float value) {
    int *bits = (int *)address;
    int old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
    } while (assumed != old);
    return __int_as_float(old);
}
__global__ void k(const float *a, float *b) {
    __shared__ float most;
    if (threadIdx.x == 0)
        most = 0;
    __syncthreads();
    atomic_max(&most, a[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x < 2)
        b[threadIdx.x] = most;
}
