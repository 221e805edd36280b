// __syncwarp() waits for all lanes of its mask, and half of them never come.
#define BLOCK_SIZE 128

__device__ void add_last(volatile float *s, int lane)
{
    for (int half = 32; half > 0; half /= 2) {
        if (lane < half) {
            s[lane] += s[lane + half];
            __syncwarp();
        }
    }
}

__global__ void row_sums(const float *matrix, float *sums, int rows, int columns)
{
    __shared__ float s[BLOCK_SIZE];
    int tid = threadIdx.x;
    int row = blockIdx.x;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int c = tid; c < columns; c += BLOCK_SIZE)
        sum += matrix[row * columns + c];
    s[tid] = sum;
    __syncthreads();
    if (tid < 64)
        s[tid] += s[tid + 64];
    __syncthreads();
    if (tid < 32)
        add_last(s, tid);
    if (tid == 0)
        sums[row] = s[0];
}
