// As shared, but with a thread a pair, so that none is idle.
__global__ void sort(unsigned *data)
{
    __shared__ unsigned piece[512];
    unsigned t = threadIdx.x;
    piece[t] = data[blockIdx.x * 512 + t];
    piece[t + 256] = data[blockIdx.x * 512 + t + 256];
    __syncthreads();
    for (unsigned size = 2; size <= 512; size *= 2)
        for (unsigned step = size / 2; step > 0; step /= 2) {
            unsigned at = 2 * t - (t & (step - 1));
            unsigned a = piece[at], b = piece[at + step];
            if ((a > b) == ((at & size) == 0)) {
                piece[at] = b;
                piece[at + step] = a;
            }
            __syncthreads();
        }
    data[blockIdx.x * 512 + t] = piece[t];
    data[blockIdx.x * 512 + t + 256] = piece[t + 256];
}
