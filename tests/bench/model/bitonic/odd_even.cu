// The same pieces by odd-even transposition: 512 steps between neighbours.
__global__ void sort(unsigned *data)
{
    __shared__ unsigned piece[512];
    unsigned t = threadIdx.x;
    piece[t] = data[blockIdx.x * 512 + t];
    piece[t + 256] = data[blockIdx.x * 512 + t + 256];
    __syncthreads();
    for (unsigned step = 0; step < 512; step++) {
        unsigned at = 2 * t + (step & 1);
        if (at + 1 < 512) {
            unsigned a = piece[at], b = piece[at + 1];
            if (a > b) {
                piece[at] = b;
                piece[at + 1] = a;
            }
        }
        __syncthreads();
    }
    data[blockIdx.x * 512 + t] = piece[t];
    data[blockIdx.x * 512 + t + 256] = piece[t + 256];
}
