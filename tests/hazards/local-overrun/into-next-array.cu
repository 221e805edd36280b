// sim --device-debug --grid 1 --block 32 --arg i32*32=zero --arg i32=6
// says 16 bytes after the beginning of the local variable a, which has 16 bytes
// says it hits the local variable b
__global__ void k(int *out, int n) {
    int a[4], b[4];
    for (int i = 0; i < 4; i++) {
        a[i] = i;
        b[i] = 10 + i;
    }
    for (int i = 0; i < n; i++)
        a[i & 7] += 1; // HAZARD out-of-bounds error
    int s = 0;
    for (int i = 0; i < 4; i++)
        s += a[(i + n) & 3] + b[(i + n) & 3];
    out[threadIdx.x] = s;
}
