// sim --grid 1 --block 32 --device-debug --arg f32*32=zero
// a member that is unset on one path comes back by value
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
    out[threadIdx.x] = p.b + q.b; // HAZARD uninitialized-read error
}
