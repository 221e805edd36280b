// Inclusive prefix sums of each 512 elements (Hillis and Steele), double-buffered.
__global__ void scan(const int *in, int *out, int n)
{
    __shared__ int buffer[2][512];
    int t = threadIdx.x, i = blockIdx.x * 512 + t, from = 0;
    buffer[0][t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int offset = 1; offset < 512; offset *= 2) {
        int value = buffer[from][t];
        if (t >= offset)
            value += buffer[from][t - offset];
        buffer[1 - from][t] = value;
        from = 1 - from;
        __syncthreads();
    }
    if (i < n)
        out[i] = buffer[from][t];
}
