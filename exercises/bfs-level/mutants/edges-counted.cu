// Every neighbour counts, also those that another thread has claimed before.
__global__ void expand(const int *row_offsets, const int *neighbours, const int *frontier,
                       int *distance, int *found, int size, int level, int vertices, int edges)
{
    __shared__ int claimed_by_block;
    if (threadIdx.x == 0)
        claimed_by_block = 0;
    __syncthreads();
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int claimed = 0;
    if (warp < size) {
        int vertex = frontier[warp];
        int end = row_offsets[vertex + 1];
        for (int k = row_offsets[vertex] + threadIdx.x % 32; k < end; k += 32) {
            atomicCAS(&distance[neighbours[k]], -1, level + 1);
            claimed++;
        }
    }
    if (claimed > 0)
        atomicAdd(&claimed_by_block, claimed);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(found, claimed_by_block);
}
