// warpgrade: fix-warp-sync
//
// sums[r] = the sum of row r of a matrix of floats with `columns` columns.
// Launched as row_sums<<<max(1, rows), 128>>>(matrix, sums, rows, columns): a block a row.
//
// This kernel was written for GPUs whose warps ran in step, and it is wrong on all that came
// afterwards. Find the mistake with `warpgrade grade fix-warp-sync.cu`, and mend it.

#define BLOCK_SIZE 128

// The last 64 sums are added by a single warp, which needs no barriers.
__device__ void add_last(volatile float *s, int lane)
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
