// sim --device-debug --grid 1 --block 32 --arg i32*32=zero --arg i32=9
// says the local variable counts
__device__ __noinline__ int sum(int n) {
    int counts[8], others[8];
    for (int i = 0; i < 8; i++)
        counts[i] = others[i] = i;
    int all = 0;
    for (int i = 0; i < n; i++)
        all += counts[i] - others[i & 7]; // HAZARD out-of-bounds error
    return all;
}
__global__ void k(int *out, int n) {
    int around[4];
    for (int i = 0; i < 4; i++)
        around[i] = n;
    out[threadIdx.x] = sum(n) + around[n & 3];
}
