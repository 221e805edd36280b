// sim --grid 2 --block 32 --arg 'f32[64]=iota' --arg 'f32[64]=zero'
// advises Give each element one writer
// advises never atomic
// both builds
__global__ void k(const float *x, float *y) {
    int i = threadIdx.x;   // of each block: blockIdx is missing
    y[i] = 2 * x[i] + y[i]; // HAZARD global-race error
}
