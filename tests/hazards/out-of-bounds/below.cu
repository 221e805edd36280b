// sim --grid 1 --block 32 --arg f32*32=iota --arg f32*32=zero
// shows element -1 of 32 read
// says arg0[-1]
__global__ void k(const float *a, float *b) {
    int i = threadIdx.x;
    b[i] = a[i - 1]; // HAZARD out-of-bounds error
}
