// sim --grid 1 --block 32 --arg i32*32=zero --arg i32=6
// both builds
// From the end downwards, by a pointer that moves, through a function, and chosen by a branch.
__device__ __noinline__ int last(const int *p, int n) {
    return p[n - 1];
}
__global__ void k(int *out, int n) {
    int a[4], b[4], s = 0;
    for (int i = 0; i < 4; i++) {
        a[i] = i;
        b[i] = 10 + i;
    }
    int *end = a + 4;
    for (int i = 1; i <= 4; i++)
        s += end[-i];
    for (int *p = b + 4; p-- > b;)
        s += *p;
    for (int *p = a; p != a + 4; p++)
        s += *p;
    int *chosen = n > 3 ? a : b;
    out[threadIdx.x] = s + last(a, 4) + last(b + 2, 2) + chosen[n & 3];
}
