// Sorts pieces of 512 by bitonic merging in shared memory, a thread a value, a barrier a step.
__global__ void sort(unsigned *data)
{
    __shared__ unsigned piece[512];
    unsigned t = threadIdx.x;
    piece[t] = data[blockIdx.x * 512 + t];
    __syncthreads();
    for (unsigned size = 2; size <= 512; size *= 2)
        for (unsigned step = size / 2; step > 0; step /= 2) {
            unsigned other = t ^ step;
            if (other > t) {
                unsigned a = piece[t], b = piece[other];
                if ((a > b) == ((t & size) == 0)) {
                    piece[t] = b;
                    piece[other] = a;
                }
            }
            __syncthreads();
        }
    data[blockIdx.x * 512 + t] = piece[t];
}
