// Inclusive prefix sums of each block of 256 elements (Hillis and Steele), double-buffered.
__global__ void scan(const int *in, int *out, int n)
{
    __shared__ int buffer[2][256];
    int i = blockIdx.x * 256 + threadIdx.x, from = 0;
    buffer[0][threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int offset = 1; offset < 256; offset *= 2) {
        int value = buffer[from][threadIdx.x];
        if (threadIdx.x >= offset)
            value += buffer[from][threadIdx.x - offset];
        buffer[1 - from][threadIdx.x] = value;
        from = 1 - from;
        __syncthreads();
    }
    if (i < n)
        out[i] = buffer[from][threadIdx.x];
}
