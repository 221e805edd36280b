// sim --grid 1 --block 32 --arg i32*32=zero --arg i32=6
// both builds
__global__ void k(int *out, int n) {
    int a[4], b[4];
    for (int i = 0; i < 4; i++) {
        a[i] = i;
        b[i] = 10 + i;
    }
    for (int i = 0; i < n; i++)
        a[i & 3] += b[(i + 1) & 3];
    out[threadIdx.x] = a[n & 3] + b[n & 3];
}
