// As block_atomics, but the places within a block come from a counter in shared memory.
__global__ void compact(const unsigned *in, unsigned *out, unsigned *count, int n)
{
    __shared__ unsigned own, first;
    int i = blockIdx.x * 256 + threadIdx.x;
    if (threadIdx.x == 0)
        own = 0;
    __syncthreads();
    unsigned value = i < n ? in[i] : 0, place = 0;
    if (value & 1)
        place = atomicAdd(&own, 1u);
    __syncthreads();
    if (threadIdx.x == 0)
        first = atomicAdd(count, own);
    __syncthreads();
    if (value & 1)
        out[first + place] = value;
}
