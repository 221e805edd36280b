// Without volatile the compiler may keep the sums in registers as well; still no thread waits.
#define BLOCK_SIZE 128

__device__ void add_last(float *s, int lane)
{
    s[lane] += s[lane + 32];
    s[lane] += s[lane + 16];
    s[lane] += s[lane + 8];
    s[lane] += s[lane + 4];
    s[lane] += s[lane + 2];
    s[lane] += s[lane + 1];
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
