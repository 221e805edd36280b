// sim --grid 3 --block 32 --arg f32*70=iota --arg f32*70=zero
// shows element 70 of 70 read
// advises the page
__global__ void k(const float *a, float *b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = a[i]; // HAZARD out-of-bounds error
    b[i] = x * 2;   // HAZARD out-of-bounds error
}
