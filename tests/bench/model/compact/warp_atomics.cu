// As thread_atomics, but a warp counts its own by a ballot and asks once.
__global__ void compact(const unsigned *in, unsigned *out, unsigned *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    unsigned value = i < n ? in[i] : 0, first = 0;
    unsigned kept = __ballot_sync(0xffffffffu, value & 1);
    if (lane == 0 && kept)
        first = atomicAdd(count, (unsigned)__popc(kept));
    first = __shfl_sync(0xffffffffu, first, 0);
    if (value & 1)
        out[first + __popc(kept & ((1u << lane) - 1))] = value;
}
