// Right, and free of conflicts: each thread loads and stores the row that it walks along.
#define ROWS    128
#define COLUMNS 32

__global__ void running_sums(const int *x, int *y, int rows)
{
    __shared__ int s[ROWS][COLUMNS + 1];
    int first = blockIdx.x * ROWS * COLUMNS;
    int count = min(ROWS * COLUMNS, rows * COLUMNS - first);

    for (int c = 0; threadIdx.x * COLUMNS < count && c < COLUMNS; c++)
        s[threadIdx.x][c] = x[first + threadIdx.x * COLUMNS + c];
    __syncthreads();

    if (threadIdx.x * COLUMNS < count) {
        int sum = 0;
        for (int c = 0; c < COLUMNS; c++) {
            sum += s[threadIdx.x][c];
            s[threadIdx.x][c] = sum;
        }
    }
    __syncthreads();

    for (int c = 0; threadIdx.x * COLUMNS < count && c < COLUMNS; c++)
        y[first + threadIdx.x * COLUMNS + c] = s[threadIdx.x][c];
}
