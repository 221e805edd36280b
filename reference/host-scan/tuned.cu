// Levels are what costs: each takes launches. A block of 256 threads here scans 2048 elements, 8 to a
// thread, so that half a million elements leave 256 sums, and two levels are enough for four million.
#include <cuda_runtime.h>

constexpr int BLOCK = 256, EACH = 8, TILE = BLOCK * EACH;

// Inclusive, over the block; s has room for a sum of each warp.
__device__ int scan_block(int value, int *s)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int step = 1; step < 32; step *= 2) {
        int left = __shfl_up_sync(0xffffffff, value, step);
        value += lane >= step ? left : 0;
    }
    if (lane == 31)
        s[warp] = value;
    __syncthreads();
    int before = 0;
    for (int i = 0; i < warp; i++)
        before += s[i];
    return value + before;
}

__global__ void scan_tiles(const int *in, int *out, int *sums, int n)
{
    __shared__ int tile[TILE + TILE / 32], warps[BLOCK / 32];
    int first = blockIdx.x * TILE;
    // Neighbours read neighbours; a column of padding for each 32 keeps the 8 of a thread apart.
    for (int i = threadIdx.x; i < TILE; i += BLOCK)
        tile[i + i / 32] = first + i < n ? in[first + i] : 0;
    __syncthreads();
    int own[EACH], sum = 0;
    for (int i = 0; i < EACH; i++) {
        int at = threadIdx.x * EACH + i;
        sum += tile[at + at / 32];
        own[i] = sum;
    }
    int before = scan_block(sum, warps) - sum;
    for (int i = 0; i < EACH; i++) {
        int at = threadIdx.x * EACH + i;
        tile[at + at / 32] = own[i] + before;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < TILE && first + i < n; i += BLOCK)
        out[first + i] = tile[i + i / 32];
    if (threadIdx.x == BLOCK - 1)
        sums[blockIdx.x] = before + sum;
}

__global__ void add_before(int *out, const int *sums, int n)
{
    if (blockIdx.x == 0)
        return;
    int first = blockIdx.x * TILE, before = sums[blockIdx.x - 1];
    for (int i = threadIdx.x; i < TILE && first + i < n; i += BLOCK)
        out[first + i] += before;
}

// A level leaves one sum for each tile; these are scanned in the same way, and so on.
static cudaError_t scan(const int *in, int *out, int n)
{
    int tiles = (n + TILE - 1) / TILE;
    int *sums;
    cudaError_t error = cudaMalloc(&sums, tiles * sizeof(int));
    if (error != cudaSuccess)
        return error;
    scan_tiles<<<tiles, BLOCK>>>(in, out, sums, n);
    error = cudaGetLastError();
    if (error == cudaSuccess && tiles > 1)
        error = scan(sums, sums, tiles);
    if (error == cudaSuccess && tiles > 1) {
        add_before<<<tiles, BLOCK>>>(out, sums, n);
        error = cudaGetLastError();
    }
    cudaFree(sums); // waits for the kernels that use it
    return error;
}

void solve(const int *input, int *output, int n)
{
    scan(input, output, n);
}
