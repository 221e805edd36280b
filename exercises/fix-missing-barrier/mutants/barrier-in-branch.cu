// The second barrier is there, but threads past the end of the vector do not come to it.
#define TILE  256
#define TILES 4

__global__ void neighbour_sums(const float *x, float *y, int n)
{
    __shared__ float s[TILE + 2];
    int tid = threadIdx.x;
    int end = min(n, int(blockIdx.x + 1) * TILES * TILE);
    for (int first = blockIdx.x * TILES * TILE; first < end; first += TILE) {
        int i = first + tid;
        s[tid + 1] = i < n ? x[i] : 0.0f;
        if (tid == 0)
            s[0] = first > 0 ? x[first - 1] : 0.0f;
        if (tid == TILE - 1)
            s[TILE + 1] = i + 1 < n ? x[i + 1] : 0.0f;
        __syncthreads();
        if (i < n) {
            y[i] = s[tid] + s[tid + 1] + s[tid + 2];
            __syncthreads();
        }
    }
}
