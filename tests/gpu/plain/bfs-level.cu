// warpgrade: bfs-level
// A warp for each vertex; what its lanes have claimed is joined before one of them adds it.
__global__ void expand(const int *row_offsets, const int *neighbours, const int *frontier,
                       int *distance, int *found, int size, int level, int vertices, int edges)
{
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x % 32;
    if (warp >= size)
        return;
    int vertex = frontier[warp];
    int end = row_offsets[vertex + 1];
    int claimed = 0;
    for (int k = row_offsets[vertex] + lane; k < end; k += 32)
        if (atomicCAS(&distance[neighbours[k]], -1, level + 1) == -1)
            claimed++;
    for (int step = 16; step > 0; step /= 2)
        claimed += __shfl_down_sync(0xffffffff, claimed, step);
    if (lane == 0 && claimed > 0)
        atomicAdd(found, claimed);
}
