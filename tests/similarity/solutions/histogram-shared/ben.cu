// warpgrade: histogram-shared
#define BLOCK_SIZE 256
// four bytes are one word
__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    __shared__ unsigned int mine[256];
    mine[threadIdx.x] = 0u;
    __syncthreads();
    int word = blockIdx.x * BLOCK_SIZE + threadIdx.x, words = n / 4;
    if (word < words) {
        uchar4 q = ((const uchar4 *)data)[word];
        atomicAdd(mine + q.x, 1u);
        atomicAdd(mine + q.y, 1u);
        atomicAdd(mine + q.z, 1u);
        atomicAdd(mine + q.w, 1u);
    } else if (word == words) {
        for (int rest = words * 4; rest < n; ++rest)
            atomicAdd(mine + data[rest], 1u);
    }
    __syncthreads();
    atomicAdd(bins + threadIdx.x, mine[threadIdx.x]);
}
