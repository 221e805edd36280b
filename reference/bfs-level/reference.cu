// A thread a vertex of the frontier. Only the one that finds -1 counts the neighbour, whichever comes
// first: the distances and their number do not depend on the order.
__global__ void reference(const int *row_offsets, const int *neighbours, const int *frontier,
                          int *distance, int *found, int size, int level, int vertices, int edges)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= size)
        return;
    int claimed = 0;
    for (int k = row_offsets[frontier[i]]; k < row_offsets[frontier[i] + 1]; k++)
        claimed += atomicCAS(&distance[neighbours[k]], -1, level + 1) == -1;
    if (claimed > 0)
        atomicAdd(found, claimed);
}
