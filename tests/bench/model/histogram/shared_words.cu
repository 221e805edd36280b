// 256 bins in shared memory, 16 words a thread, a block's width apart; n counts bytes.
#define WORDS 16

__global__ void histogram(const unsigned *data, unsigned *bins, int n)
{
    __shared__ unsigned mine[256];
    mine[threadIdx.x] = 0;
    __syncthreads();
    int first = blockIdx.x * 256 * WORDS + threadIdx.x;
    for (int j = 0; j < WORDS; j++) {
        int i = first + j * 256;
        if (i < n / 4) {
            unsigned word = data[i];
            atomicAdd(&mine[word & 255], 1u);
            atomicAdd(&mine[word >> 8 & 255], 1u);
            atomicAdd(&mine[word >> 16 & 255], 1u);
            atomicAdd(&mine[word >> 24], 1u);
        }
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}
