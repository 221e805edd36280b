// sim --grid 1 --block 64 --arg f32*64=zero --arg f32*64=uninit
__global__ void k(float *x, float *out) {
    float v = x[0];
    __syncthreads();
    v += x[0]; // HAZARD global-race error
    if (threadIdx.x == 40)
        x[0] = v; // HAZARD global-race error
    out[threadIdx.x] = v;
}
