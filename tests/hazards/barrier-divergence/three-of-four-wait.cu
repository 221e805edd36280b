// sim --grid 1 --block 64 --arg f32*64=zero
// shows 48 of 64 wait, 0 elsewhere
__global__ void k(float *b) {
    __shared__ float s[64];
    int i = threadIdx.x;
    s[i] = i;
    if (i % 4) {
        __syncthreads(); // HAZARD barrier-divergence error
        s[i] *= 2;
    }
    b[i] = s[i];
}
