// warpgrade: fix-histogram-race
//
// counts[v] = how often the value v occurs in data[0] to data[n - 1], for the 256 values of a byte.
// Launched as histogram<<<max(1, (n + 4095) / 4096), 256>>>(data, counts, n), with all counts 0:
// each block counts up to 4096 bytes.
//
// This kernel loses counts. Find out where with `warpgrade grade fix-histogram-race.cu`, and mend it.

#define BINS     256
#define ELEMENTS 4096

__global__ void histogram(const unsigned char *data, int *counts, int n)
{
    __shared__ int bins[BINS];
    bins[threadIdx.x] = 0;
    __syncthreads();

    int first = blockIdx.x * ELEMENTS;
    int end = min(first + ELEMENTS, n);
    for (int i = first + threadIdx.x; i < end; i += blockDim.x)
        bins[data[i]]++;
    __syncthreads();

    counts[threadIdx.x] += bins[threadIdx.x];
}
