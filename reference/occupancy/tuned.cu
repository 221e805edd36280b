// The greatest of 2 neighbours, of 4, of 8 ... of 64, each from two of those before, in shared
// memory: six comparisons in place of 64, and a last one for the 65th element. Two tiles take
// turns, so that a step needs one barrier. 256 threads, 2.5 KB of shared memory and few registers:
// every warp has its place.
#define BLOCK_SIZE 256
#define RADIUS     32
#define TILE       (BLOCK_SIZE + 2 * RADIUS)

__global__ void window_max(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tiles[2][TILE];
    int tid = threadIdx.x;
    int first = blockIdx.x * BLOCK_SIZE - RADIUS;
    for (int t = tid; t < TILE; t += BLOCK_SIZE)
        tiles[0][t] = x[min(max(first + t, 0), n - 1)];
    __syncthreads();
    float last = tiles[0][tid + 2 * RADIUS];
#pragma unroll
    for (int step = 0; step < 6; step++) {
        int distance = 1 << step;
        const float *from = tiles[step % 2];
        float *to = tiles[(step + 1) % 2];
        for (int t = tid; t < TILE; t += BLOCK_SIZE)
            to[t] = fmaxf(from[t], from[min(t + distance, TILE - 1)]);
        __syncthreads();
    }
    int i = blockIdx.x * BLOCK_SIZE + tid;
    if (i < n)
        y[i] = fmaxf(tiles[0][tid], last);
}
