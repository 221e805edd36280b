// warpgrade: fix-bank-conflict
// Rows of 33 words: a column of the tile lies across all banks.
#define ROWS    128
#define COLUMNS 32

__global__ void running_sums(const int *x, int *y, int rows)
{
    __shared__ int s[ROWS][COLUMNS + 1];
    int first = blockIdx.x * ROWS * COLUMNS;
    int count = min(ROWS * COLUMNS, rows * COLUMNS - first);

    // All threads load rows together, so that neighbours read neighbouring elements.
    for (int k = threadIdx.x; k < count; k += blockDim.x)
        s[k / COLUMNS][k % COLUMNS] = x[first + k];
    __syncthreads();

    // Each thread walks along a row of its own.
    if (threadIdx.x * COLUMNS < count) {
        int sum = 0;
        for (int c = 0; c < COLUMNS; c++) {
            sum += s[threadIdx.x][c];
            s[threadIdx.x][c] = sum;
        }
    }
    __syncthreads();

    // All threads store rows together.
    for (int k = threadIdx.x; k < count; k += blockDim.x)
        y[first + k] = s[k / COLUMNS][k % COLUMNS];
}
