// warpgrade: fix-missing-barrier
// A second barrier, before the tile is filled again.
#define TILE  256
#define TILES 4

__global__ void neighbour_sums(const float *x, float *y, int n)
{
    __shared__ float s[TILE + 2]; // the tile, with a neighbour on either side
    int tid = threadIdx.x;
    int end = min(n, int(blockIdx.x + 1) * TILES * TILE);
    for (int first = blockIdx.x * TILES * TILE; first < end; first += TILE) {
        int i = first + tid;
        s[tid + 1] = i < n ? x[i] : 0.0f;
        if (tid == 0)
            s[0] = first > 0 ? x[first - 1] : 0.0f;
        if (tid == TILE - 1)
            s[TILE + 1] = i + 1 < n ? x[i + 1] : 0.0f;
        __syncthreads(); // the tile is complete
        if (i < n)
            y[i] = s[tid] + s[tid + 1] + s[tid + 2];
        __syncthreads(); // all have used it
    }
}
