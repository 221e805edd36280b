// The places are taken in the order in which threads come, and lanes of a warp come in no
// particular one.
#define BLOCK_SIZE 256
#define ITEMS 4

__global__ void compact(const int *x, int *y, unsigned *count, unsigned long long *state,
                        unsigned *ticket, int n)
{
    for (int k = ITEMS - 1; k >= 0; k--) {
        int i = (blockIdx.x * ITEMS + k) * BLOCK_SIZE + threadIdx.x;
        if (i < n && x[i] > 0)
            y[atomicAdd(count, 1u)] = x[i];
    }
}
