// Right: a row of 64 words begins in the same bank as a row of 32.
#define ROWS    128
#define COLUMNS 32

__global__ void running_sums(const int *x, int *y, int rows)
{
    __shared__ int s[ROWS][2 * COLUMNS];
    int first = blockIdx.x * ROWS * COLUMNS;
    int count = min(ROWS * COLUMNS, rows * COLUMNS - first);

    for (int k = threadIdx.x; k < count; k += blockDim.x)
        s[k / COLUMNS][k % COLUMNS] = x[first + k];
    __syncthreads();

    if (threadIdx.x * COLUMNS < count) {
        int sum = 0;
        for (int c = 0; c < COLUMNS; c++) {
            sum += s[threadIdx.x][c];
            s[threadIdx.x][c] = sum;
        }
    }
    __syncthreads();

    for (int k = threadIdx.x; k < count; k += blockDim.x)
        y[first + k] = s[k / COLUMNS][k % COLUMNS];
}
