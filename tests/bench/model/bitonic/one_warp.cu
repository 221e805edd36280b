// One warp goes sixteen times through each step.
#define BLOCK_SIZE 32
#define MOST_KEYS 1024

__global__ void sort_rows(int *keys, int rows, int cols)
{
    __shared__ int s[MOST_KEYS];
    int *row = keys + blockIdx.x * cols;
    int count = 1;
    while (count < cols)
        count *= 2;
    for (int i = threadIdx.x; i < count; i += BLOCK_SIZE)
        s[i] = i < cols ? row[i] : 0x7fffffff;
    __syncthreads();
    for (int size = 2; size <= count; size *= 2)
        for (int distance = size / 2; distance > 0; distance /= 2) {
            for (int p = threadIdx.x; p < count / 2; p += BLOCK_SIZE) {
                int left = 2 * p - (p & (distance - 1)), right = left + distance;
                int a = s[left], b = s[right];
                bool up = (left & size) == 0;
                if ((a > b) == up) {
                    s[left] = b;
                    s[right] = a;
                }
            }
            __syncthreads();
        }
    for (int i = threadIdx.x; i < cols; i += BLOCK_SIZE)
        row[i] = s[i];
}
