// Right, for any length, with two trips to global memory for each key and step. (The first step of
// each merge takes mirrored pairs, so that all pairs go up and the keys that are not there stay
// where they are.)
#define BLOCK_SIZE 512

__global__ void sort_rows(int *keys, int rows, int cols)
{
    int *row = keys + blockIdx.x * cols;
    int count = 1;
    while (count < cols)
        count *= 2;
    for (int size = 2; size <= count; size *= 2)
        for (int distance = size / 2; distance > 0; distance /= 2) {
            for (int p = threadIdx.x; p < count / 2; p += BLOCK_SIZE) {
                int left = 2 * p - (p & (distance - 1));
                int right = distance == size / 2 ? left ^ (size - 1) : left + distance;
                if (right < cols && row[left] > row[right]) {
                    int larger = row[left];
                    row[left] = row[right];
                    row[right] = larger;
                }
            }
            __syncthreads();
        }
}
