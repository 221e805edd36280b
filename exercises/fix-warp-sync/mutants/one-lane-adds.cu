// Right: no thread needs to wait where a single thread does the work.
#define BLOCK_SIZE 128

__device__ void add_last(volatile float *s, int lane)
{
    for (int k = 1; lane == 0 && k < 64; k++)
        s[0] += s[k];
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
