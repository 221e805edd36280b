// A block a row. Each thread counts how many keys come before its own, those that are smaller and
// those that are equal and stand further left: so many places from the left is where it belongs.
#define MOST_KEYS 1024

__global__ void reference(int *keys, int rows, int cols)
{
    __shared__ int row[MOST_KEYS];
    int *own = keys + (long long)blockIdx.x * cols;
    for (int i = threadIdx.x; i < cols; i += blockDim.x)
        row[i] = own[i];
    __syncthreads();
    for (int i = threadIdx.x; i < cols; i += blockDim.x) {
        int place = 0;
        for (int j = 0; j < cols; j++)
            place += row[j] < row[i] || (row[j] == row[i] && j < i);
        own[place] = row[i];
    }
}
