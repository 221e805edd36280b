// warpgrade: softmax
#define BLOCK_SIZE 64
// Online: maximum and sum in a single walk over the row.
struct state { float m, d; };
__device__ state join(state a, state b)
{
    state r;
    r.m = a.m > b.m ? a.m : b.m;
    r.d = (a.d > 0 ? a.d * expf(a.m - r.m) : 0) + (b.d > 0 ? b.d * expf(b.m - r.m) : 0);
    return r;
}
__global__ void softmax(const float *x, float *y, int rows, int cols)
{
    __shared__ state all[BLOCK_SIZE];
    int base = blockIdx.x * cols;
    state own = {-1e30f, 0.0f};
    for (int j = threadIdx.x; j < cols; j += BLOCK_SIZE)
        own = join(own, state{x[base + j], 1.0f});
    all[threadIdx.x] = own;
    __syncthreads();
    for (int k = 1; k < BLOCK_SIZE; k *= 2) {
        if (threadIdx.x % (2 * k) == 0)
            all[threadIdx.x] = join(all[threadIdx.x], all[threadIdx.x + k]);
        __syncthreads();
    }
    own = all[0];
    for (int j = threadIdx.x; j < cols; j += BLOCK_SIZE)
        y[base + j] = expf(x[base + j] - own.m) / own.d;
}
