// As two_rows, but a thread has eight weights, 128 apart, whose best it keeps in registers, and the things are
// read and divided once, into shared memory.
__global__ void fill(const unsigned *weights, const unsigned *values, unsigned *best)
{
    __shared__ unsigned rows[2][128 + 1024], weight_of[64], value_of[64];
    int t = threadIdx.x;
    unsigned own[8];
    if (t < 64) {
        weight_of[t] = 1 + weights[blockIdx.x * 64 + t] % 100;
        value_of[t] = values[blockIdx.x * 64 + t] % 1000;
    }
    rows[0][t] = rows[1][t] = 0x80000000u;
    for (int i = 0; i < 8; i++)
        rows[0][128 + i * 128 + t] = own[i] = 0;
    __syncthreads();
    for (int item = 0; item < 64; item++) {
        const unsigned *now = rows[item % 2] + 128 + t - weight_of[item];
        unsigned *next = rows[(item + 1) % 2] + 128 + t, value = value_of[item];
#pragma unroll
        for (int i = 0; i < 8; i++) {
            own[i] = max((int)own[i], (int)(now[i * 128] + value));
            next[i * 128] = own[i];
        }
        __syncthreads();
    }
    for (int i = 0; i < 8; i++)
        best[blockIdx.x * 1024 + i * 128 + t] = own[i];
}
