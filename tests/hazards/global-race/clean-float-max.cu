// sim --grid 2 --block 64 --arg f32*128=iota:const --arg f32*1=zero
__device__ void most(float *address, float value) {
    int *bits = (int *)address;
    int old = *bits;
    while (value > __int_as_float(old)) {
        int assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(value));
        if (old == assumed)
            break;
    }
}
__global__ void k(const float *a, float *b) {
    most(b, a[blockIdx.x * 64 + threadIdx.x]);
}
