// warpgrade: histogram-shared
#define BLOCK_SIZE 128
// Lanes with the same value elect one that adds for all of them.
__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    __shared__ unsigned c[256];
    c[threadIdx.x] = 0;
    c[threadIdx.x + 128] = 0;
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        int i = blockIdx.x * BLOCK_SIZE * 4 + k * BLOCK_SIZE + threadIdx.x;
        unsigned active = __ballot_sync(0xffffffff, i < n);
        if (i < n) {
            unsigned v = data[i];
            unsigned same = __match_any_sync(active, v);
            if (__ffs(same) - 1 == (threadIdx.x & 31))
                atomicAdd(&c[v], __popc(same));
        }
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], c[threadIdx.x]);
    atomicAdd(&bins[threadIdx.x + 128], c[threadIdx.x + 128]);
}
