// An element of a padded tile is named as the source names it, with the two indices.
// sim --grid 1 --block 32,2 --arg f32*1024=iota --arg f32*1024=zero
// says tile[1][0]
// maybe uninitialized-read
#define SIDE 32
__global__ void k(const float *a, float *b)
{
    __shared__ float tile[SIDE][SIDE + 1];
    for (int row = threadIdx.y; row < SIDE; row += 2)
        tile[row][threadIdx.x] = a[row * SIDE + threadIdx.x]; // HAZARD shared-race error
    for (int row = threadIdx.y; row < SIDE; row += 2)
        b[row * SIDE + threadIdx.x] = tile[threadIdx.x][row]; // HAZARD shared-race error
}
