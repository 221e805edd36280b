// warpgrade: histogram-shared
#define BLOCK_SIZE 256
__device__ void count(unsigned *where, unsigned packed, int bytes)
{
    while (bytes-- > 0) {
        atomicAdd(&where[packed & 255], 1);
        packed >>= 8;
    }
}
__global__ void histogram(const unsigned char *data, unsigned *bins, int n)
{
    __shared__ unsigned local[256];
    int tid = threadIdx.x;
    if (tid < 256) local[tid] = 0;
    __syncthreads();
    long gid = (long)blockIdx.x * blockDim.x + tid;
    long have = n - gid * 4;
    if (have >= 4)
        count(local, reinterpret_cast<const unsigned *>(data)[gid], 4);
    else if (have > 0) {
        unsigned last = 0;
        for (int b = 0; b < have; b++)
            last |= (unsigned)data[gid * 4 + b] << (8 * b);
        count(local, last, (int)have);
    }
    __syncthreads();
    if (tid < 256 && local[tid] > 0) atomicAdd(bins + tid, local[tid]);
}
