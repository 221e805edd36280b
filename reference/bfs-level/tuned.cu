// A warp a vertex, so that its neighbours are read side by side, two of a lane in flight. What the 32
// lanes and then the eight warps have claimed is joined before one thread adds it to the result.
__device__ static int claim(int *distance, int vertex, int level)
{
    return atomicCAS(&distance[vertex], -1, level) == -1;
}

__global__ void expand(const int *__restrict__ row_offsets, const int *__restrict__ neighbours,
                       const int *__restrict__ frontier, int *distance, int *found, int size,
                       int level, int vertices, int edges)
{
    __shared__ int claimed_by_warp[8];
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    int claimed = 0;
    if (warp < size) {
        int vertex = frontier[warp];
        int k = row_offsets[vertex] + lane, end = row_offsets[vertex + 1];
        for (; k + 32 < end; k += 64) {
            int first = neighbours[k], second = neighbours[k + 32];
            claimed += claim(distance, first, level + 1) + claim(distance, second, level + 1);
        }
        if (k < end)
            claimed += claim(distance, neighbours[k], level + 1);
    }
    for (int other = 16; other > 0; other /= 2)
        claimed += __shfl_xor_sync(0xffffffff, claimed, other);
    if (lane == 0)
        claimed_by_warp[threadIdx.x / 32] = claimed;
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    for (int i = 1; i < 8; i++)
        claimed += claimed_by_warp[i];
    if (claimed > 0)
        atomicAdd(found, claimed);
}
