// sim --grid 1 --block 64 --arg f32*64=iota:const --arg f32*1=zero
// both builds
// advises take whole numbers of 32 or 64 bits only
__global__ void k(const float *x, float *highest) {
    __shared__ float best;
    if (threadIdx.x == 0)
        best = 0;
    __syncthreads();
    best = fmaxf(best, x[threadIdx.x]); // HAZARD shared-race error
    __syncthreads();
    if (threadIdx.x == 0)
        *highest = best;
}
