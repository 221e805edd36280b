// Keeps the odd numbers, in any order: each that is kept asks a counter for its place.
__global__ void compact(const unsigned *in, unsigned *out, unsigned *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned value = in[i];
    if (value & 1)
        out[atomicAdd(count, 1u)] = value;
}
