// sim --grid 1 --block 64 --arg i32*64=zero
// between warps: no thread waits for the other warp's squares
__global__ void k(int *out) {
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    s[t] = t * t;       // HAZARD shared-race error
    out[t] = s[63 - t]; // HAZARD shared-race error
}
