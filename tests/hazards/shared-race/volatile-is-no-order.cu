// sim --grid 1 --block 64 --arg i32*64=iota --arg i32*1=zero
// advises `__syncwarp()` between one
// the last warp of old textbooks' reduction: volatile does not make lanes wait for each other
__global__ void k(const int *a, int *sum) {
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 32];
        s[t] += s[t + 16]; // HAZARD shared-race error
        s[t] += s[t + 8];  // HAZARD shared-race error
        s[t] += s[t + 4];  // HAZARD shared-race error
        s[t] += s[t + 2];  // HAZARD shared-race error
        s[t] += s[t + 1];  // HAZARD shared-race error
    }
    if (t == 0)
        *sum = s[0];
}
