// sim --grid 1 --block 32 --device-debug --arg f32*32=zero
// the place of a result was unset at the first call, and is set at the second
struct Pair {
    float a, b;
};
__device__ __noinline__ Pair make(bool both) {
    Pair p;
    p.a = 1;
    if (both)
        p.b = 2;
    return p;
}
__global__ void k(float *out) {
    Pair p = make(false);
    Pair q = make(true);
    out[threadIdx.x] = p.a + q.b;
}
