// Odd-even transposition: neighbours only, and as many steps as there are keys in place of 55.
#define BLOCK_SIZE 512
#define MOST_KEYS 1024

__global__ void sort_rows(int *keys, int rows, int cols)
{
    __shared__ int s[MOST_KEYS];
    int *row = keys + blockIdx.x * cols;
    for (int i = threadIdx.x; i < cols; i += BLOCK_SIZE)
        s[i] = row[i];
    __syncthreads();
    for (int step = 0; step < cols; step++) {
        int left = 2 * threadIdx.x + step % 2;
        if (left + 1 < cols && s[left] > s[left + 1]) {
            int larger = s[left];
            s[left] = s[left + 1];
            s[left + 1] = larger;
        }
        __syncthreads();
    }
    for (int i = threadIdx.x; i < cols; i += BLOCK_SIZE)
        row[i] = s[i];
}
