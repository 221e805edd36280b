// Sixteen bytes a thread with one load, and one atomic addition for each run of equal bytes: all
// that can be saved as long as the counts stay in global memory.
__device__ static void count(unsigned *bins, unsigned &value, unsigned &run, unsigned byte)
{
    if (byte != value) {
        atomicAdd(&bins[value], run);
        value = byte;
        run = 0;
    }
    run++;
}

__global__ void histogram(const unsigned char *__restrict__ data, unsigned *bins, int n)
{
    long long first = (blockIdx.x * (long long)blockDim.x + threadIdx.x) * 16;
    unsigned value, run = 0;
    if (first + 15 < n) {
        uint4 words = *reinterpret_cast<const uint4 *>(data + first);
        unsigned word[4] = {words.x, words.y, words.z, words.w};
        value = words.x & 255;
#pragma unroll
        for (int k = 0; k < 16; k++)
            count(bins, value, run, word[k / 4] >> (k % 4 * 8) & 255);
    } else if (first < n) {
        value = data[first];
        for (long long i = first; i < n; i++)
            count(bins, value, run, data[i]);
    }
    if (run > 0)
        atomicAdd(&bins[value], run);
}
