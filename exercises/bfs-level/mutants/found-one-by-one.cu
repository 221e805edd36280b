// Right: each claimed vertex is added to the result by itself.
__global__ void expand(const int *row_offsets, const int *neighbours, const int *frontier,
                       int *distance, int *found, int size, int level, int vertices, int edges)
{
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (warp >= size)
        return;
    int vertex = frontier[warp];
    int end = row_offsets[vertex + 1];
    for (int k = row_offsets[vertex] + threadIdx.x % 32; k < end; k += 32)
        if (atomicCAS(&distance[neighbours[k]], -1, level + 1) == -1)
            atomicAdd(found, 1);
}
