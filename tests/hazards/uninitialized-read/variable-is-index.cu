// sim --grid 1 --block 32 --device-debug --arg f32*32=iota --arg f32*32=zero
__global__ void k(const float *a, float *out) {
    int best;
    if (a[threadIdx.x] > 30)
        best = 3;
    out[threadIdx.x] = a[best & 31]; // HAZARD uninitialized-read error
    if (best == 3)                   // HAZARD uninitialized-read error
        out[threadIdx.x] = 1;
}
