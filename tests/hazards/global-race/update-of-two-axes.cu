// sim --grid 2,2 --block 1 --arg 'f32[2]=iota' --arg 'f32[2]=iota' --arg 'f32[3]=zero'
// advises two threads compute the same one
__global__ void k(const float *a, const float *b, float *c) {
    c[blockIdx.x + blockIdx.y] += a[blockIdx.x] * b[blockIdx.y]; // HAZARD global-race error
}
