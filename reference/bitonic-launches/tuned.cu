// A launch for each step costs more than the step. Exchanges at distances below 1024 stay inside of a
// piece of 2048 elements: one block takes it into shared memory and does all of these steps there, with
// barriers in between. Launches of single steps are left for the larger distances only: for 32768
// elements 10 of 120.
#include <cuda_runtime.h>
#include <limits.h>

constexpr int BLOCK = 1024, TILE = 2 * BLOCK;

__device__ void order(int &a, int &b, bool ascending)
{
    if ((a > b) == ascending) {
        int other = a;
        a = b;
        b = other;
    }
}

// All steps of the runs from `first` to `last` whose distances fit into a tile. Thread t takes the pair
// whose lower element is t with a zero put in at the bit of the distance.
__global__ void exchange_in_tiles(const int *in, int *values, int n, int size, int first, int last)
{
    __shared__ int s[TILE];
    int base = blockIdx.x * TILE;
    for (int i = threadIdx.x; i < TILE && base + i < size; i += BLOCK)
        s[i] = base + i < n ? in[base + i] : INT_MAX;
    for (int run = first; run <= last; run *= 2)
        for (int distance = run / 2 < BLOCK ? run / 2 : BLOCK; distance > 0; distance /= 2) {
            __syncthreads();
            int low = 2 * threadIdx.x - (threadIdx.x & (distance - 1));
            if (base + low < size)
                order(s[low], s[low + distance], ((base + low) & run) == 0);
        }
    __syncthreads();
    for (int i = threadIdx.x; i < TILE && base + i < size; i += BLOCK)
        values[base + i] = s[i];
}

__global__ void exchange(int *values, int size, int run, int distance)
{
    int t = blockIdx.x * BLOCK + threadIdx.x, low = 2 * t - (t & (distance - 1));
    if (low < size)
        order(values[low], values[low + distance], (low & run) == 0);
}

void solve(const int *input, int *output, int n)
{
    int size = 2; // the next power of two
    while (size < n)
        size *= 2;
    int *values, tiles = (size + TILE - 1) / TILE;
    if (cudaMalloc(&values, size * sizeof(int)) != cudaSuccess)
        return;
    // The first launch also copies and pads.
    exchange_in_tiles<<<tiles, BLOCK>>>(input, values, n, size, 2, size < TILE ? size : TILE);
    for (int run = 2 * TILE; run <= size; run *= 2) {
        for (int distance = run / 2; distance > BLOCK; distance /= 2)
            exchange<<<tiles, BLOCK>>>(values, size, run, distance);
        exchange_in_tiles<<<tiles, BLOCK>>>(values, values, size, size, run, run);
    }
    cudaMemcpy(output, values, n * sizeof(int), cudaMemcpyDeviceToDevice);
    cudaFree(values);
}
