// Reads far more than the second-level cache holds, so that it is full of clean lines of no use.
__global__ void run(const uint4 *in, unsigned *out, int rounds)
{
    unsigned threads = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
#pragma unroll 4
    for (int r = 0; r < rounds; r++) {
        uint4 v = __ldcg(&in[first + r * threads]);
        sum ^= v.x ^ v.y ^ v.z ^ v.w;
    }
    if (sum == 0x9e3779b9u)
        out[0] = sum;
}
