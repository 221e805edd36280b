// sim --grid 1 --block 16,16 --arg f32*256=zero --arg f32*256=iota
// advises `__syncthreads()` between one
// advises never `__syncwarp()`
// maybe uninitialized-read
// A warp holds two rows of the tile: some of what it reads is its own, the rest other warps'.
__global__ void k(float *out, const float *in) {
    __shared__ float tile[16][17];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[16 * y + x];  // HAZARD shared-race error
    out[16 * y + x] = tile[x][y]; // HAZARD shared-race error
}
