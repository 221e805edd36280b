// As thread_a_row, but a block of 256 a row; both sums by one tree in shared memory.
__global__ void normalize(const float *in, float *out, int rows)
{
    __shared__ float sums[256], squares[256];
    int t = threadIdx.x;
    float value = in[blockIdx.x * 256 + t];
    sums[t] = value;
    squares[t] = value * value;
    __syncthreads();
    for (int d = 128; d > 0; d /= 2) {
        if (t < d) {
            sums[t] += sums[t + d];
            squares[t] += squares[t + d];
        }
        __syncthreads();
    }
    float mean = sums[0] / 256, scale = rsqrtf(squares[0] / 256 - mean * mean + 1.0e-5f);
    out[blockIdx.x * 256 + t] = (value - mean) * scale;
}
