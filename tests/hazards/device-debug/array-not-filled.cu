// sim --grid 1 --block 32 --device-debug --arg i32*32=iota --arg i32*32=zero
__global__ void k(const int *a, int *out) {
    int t[4];
    for (int i = 0; i < 3; i++)
        t[i] = a[(threadIdx.x + i) % 32];
    int u[4];
    for (int i = 0; i < 4; i++)
        u[i] = t[i];
    out[threadIdx.x] = u[a[threadIdx.x] % 4] + u[3]; // HAZARD uninitialized-read error
}
