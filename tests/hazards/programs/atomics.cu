// sim --grid 4 --block 64 --arg i32*256=uniform:const --arg i32*8=zero --arg f32*1=zero --arg u64*1=zero
__global__ void k(const int *a, int *r, float *f, unsigned long long *u) {
    int x = a[blockIdx.x * 64 + threadIdx.x];
    atomicMax(&r[0], x);
    atomicMin(&r[1], x);
    atomicOr(&r[2], x);
    atomicXor(&r[3], x);
    atomicInc((unsigned *)&r[4], 99);
    atomicSub(&r[5], 3);
    atomicAdd(f, 0.5f);
    atomicAdd(u, 1ull << 33);
    int old = r[6], assumed; // an atomic product of signs by compare and swap
    do {
        assumed = old;
        old = atomicCAS(&r[6], assumed, assumed ^ (x < 0));
    } while (old != assumed);
}
__global__ void check(const int *a, int *r, float *f, unsigned long long *u) {
    int hi = 0, lo = 0, o = 0, x = 0, s = 0;
    for (int i = 0; i < 256; i++) {
        hi = max(hi, a[i]);
        lo = min(lo, a[i]);
        o |= a[i];
        x ^= a[i];
        s ^= a[i] < 0;
    }
    if (r[0] != hi || r[1] != lo || r[2] != o || r[3] != x || r[4] != 56 || r[5] != -768 || r[6] != s || *f != 128 || *u != 256ull << 33)
        __trap();
}
// maybe global-race
