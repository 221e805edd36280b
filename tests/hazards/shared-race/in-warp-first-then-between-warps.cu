// sim --grid 1 --block 64 --arg 'i32[64]=zero'
// advises `__syncthreads()` between one
// advises never `__syncwarp()`
__global__ void k(int *out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    out[t] = s[t < 32 ? t ^ 1 : t - 32]; // HAZARD shared-race error
}
