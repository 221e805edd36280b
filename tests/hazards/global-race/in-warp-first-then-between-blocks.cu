// sim --grid 2 --block 32 --arg 'i32[64]=zero' --arg 'i32[64]=zero'
// advises in a second kernel
// advises never `__sync
__global__ void k(int *g, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    g[i] = i;
    out[i] = g[i < 32 ? i ^ 1 : i - 32]; // HAZARD global-race error
}
