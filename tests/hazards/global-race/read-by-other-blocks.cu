// sim --grid 3 --block 64 --arg f32*64=zero --arg f32*192=uninit
// the writer is ordered after its own block's reads, not after those of the others
__global__ void k(float *x, float *out) {
    float v = x[threadIdx.x];
    __syncthreads();
    if (blockIdx.x == gridDim.x - 1)
        x[threadIdx.x] = v + 1; // HAZARD global-race error
    out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
