// sim --grid 1 --block 64 --arg f32*64=zero
// shows 32 of 64 wait, 32 elsewhere
__global__ void k(float *b) {
    __shared__ float s[64];
    int i = threadIdx.x;
    if (i & 1) {
        s[i] = i;
        __syncthreads(); // HAZARD barrier-divergence error
    } else {
        s[i] = -i;
        __syncthreads();
        s[i] *= 2;
    }
    b[i] = s[i];
}
