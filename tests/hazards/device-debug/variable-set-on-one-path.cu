// sim --grid 1 --block 32 --device-debug --arg f32*32=iota --arg f32*32=zero
__global__ void k(const float *a, float *out) {
    float x;
    if (a[threadIdx.x] > 15)
        x = a[threadIdx.x];
    out[threadIdx.x] = x * 2; // HAZARD uninitialized-read error
}
