// warpgrade: bfs-level
//
// One level of a breadth-first search. The neighbours of vertex v are neighbours[k] for every k from
// row_offsets[v] to row_offsets[v + 1] - 1. The vertices of the last level are frontier[0] to
// frontier[size - 1]; their distance is `level`. distance[u] is -1 where u has not been reached yet.
// Each neighbour that has not gets the distance level + 1, and *found, which is 0 beforehand, becomes
// their number.
// Launched as expand<<<(vertices + 63) / 64, 256>>>(row_offsets, neighbours, frontier, distance,
// found, size, level, vertices, edges): the frontier has at most an eighth of all vertices, so there
// are at least as many warps.
//
// Grade it with `warpgrade grade bfs-level.cu`.

__global__ void expand(const int *row_offsets, const int *neighbours, const int *frontier,
                       int *distance, int *found, int size, int level, int vertices, int edges)
{
    // Step 1: which vertex of the frontier is this warp's? Is there one?

    // Step 2: the lanes take its neighbours in turn. Claim each one that has not been reached: many
    // warps may try, and exactly one must succeed.

    // Step 3: how many has this lane claimed? Join the numbers of as many threads as you can before
    // you add them to *found.
}
