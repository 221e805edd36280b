// sim --grid 2 --block 32 --arg 'f32[64]=iota' --arg 'f32[64]=zero'
// advises Give each element one writer
// advises never atomic
__global__ void k(const float *x, float *y) {
    int i = blockIdx.x + threadIdx.x; // blockIdx.x * blockDim.x is meant
    y[i] += x[i];                     // HAZARD global-race error
}
