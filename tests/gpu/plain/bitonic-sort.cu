// warpgrade: bitonic-sort
// The network as the statement draws it, in shared memory, with a barrier after each step.
#include <limits.h>

#define BLOCK_SIZE 512
#define MOST_KEYS  1024

__global__ void sort_rows(int *keys, int rows, int cols)
{
    __shared__ int s[MOST_KEYS];
    int *row = keys + blockIdx.x * cols;
    int count = 1;
    while (count < cols)
        count *= 2;
    for (int i = threadIdx.x; i < count; i += BLOCK_SIZE)
        s[i] = i < cols ? row[i] : INT_MAX;
    __syncthreads();
    for (int size = 2; size <= count; size *= 2) {
        for (int distance = size / 2; distance > 0; distance /= 2) {
            for (int pair = threadIdx.x; pair < count / 2; pair += BLOCK_SIZE) {
                int left = 2 * pair - (pair & (distance - 1));
                int right = left + distance;
                bool up = (left & size) == 0 || size == count;
                int a = s[left];
                int b = s[right];
                if ((a > b) == up) {
                    s[left] = b;
                    s[right] = a;
                }
            }
            __syncthreads();
        }
    }
    for (int i = threadIdx.x; i < cols; i += BLOCK_SIZE)
        row[i] = s[i];
}
