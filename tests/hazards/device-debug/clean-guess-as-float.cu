// sim --grid 4 --block 64 --arg f32*512=uniform --arg f32*8=zero --arg i32=512 --device-debug
struct cell {
    int count;
    float most;
};
__device__ float atomic_max(float *address, float value) {
    float old = *address, assumed;
    do {
        if (old >= value)
            return old;
        assumed = old;
        old = __int_as_float(atomicCAS((int *)address, __float_as_int(assumed),
                                       __float_as_int(value)));
    } while (old != assumed);
    return old;
}
__global__ void k(const float *in, float *out, int n) {
    cell *cells = (cell *)out;
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64)
        atomic_max(&cells[i % 4].most, in[i]);
}
