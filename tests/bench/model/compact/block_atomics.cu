// As warp_atomics, but the warps of a block of 256 add their counts up first: one question a block.
__global__ void compact(const unsigned *in, unsigned *out, unsigned *count, int n)
{
    __shared__ unsigned starts[8], first;
    int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned value = i < n ? in[i] : 0;
    unsigned kept = __ballot_sync(0xffffffffu, value & 1);
    if (lane == 0)
        starts[warp] = __popc(kept);
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned sum = 0;
        for (int w = 0; w < 8; w++) {
            unsigned own = starts[w];
            starts[w] = sum;
            sum += own;
        }
        first = atomicAdd(count, sum);
    }
    __syncthreads();
    if (value & 1)
        out[first + starts[warp] + __popc(kept & ((1u << lane) - 1))] = value;
}
