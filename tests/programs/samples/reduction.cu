// A sum by five kernels, from divergent branches to shuffles, sizes chosen at run time by a switch.
#include "check.h"

#include <vector>

__global__ void interleaved(const int *in, int *out, unsigned n) {
    extern __shared__ int s[];
    unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    s[tid] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        if (tid % (2 * stride) == 0)
            s[tid] += s[tid + stride];
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = s[0];
}

__global__ void sequential(const int *in, int *out, unsigned n) {
    extern __shared__ int s[];
    unsigned tid = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + tid;
    int mine = i < n ? in[i] : 0;
    if (i + blockDim.x < n)
        mine += in[i + blockDim.x];
    s[tid] = mine;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (tid < stride)
            s[tid] = mine = mine + s[tid + stride];
        __syncthreads();
    }
    if (tid == 0)
        out[blockIdx.x] = mine;
}

template <unsigned blockSize> __global__ void unrolled(const int *in, int *out, unsigned n) {
    __shared__ int s[blockSize / 32];
    int mine = 0;
    for (unsigned i = blockIdx.x * blockSize + threadIdx.x; i < n; i += blockSize * gridDim.x)
        mine += in[i];
    for (int offset = 16; offset > 0; offset /= 2)
        mine += __shfl_down_sync(0xffffffff, mine, offset);
    if (threadIdx.x % 32 == 0)
        s[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x < 32) {
        mine = threadIdx.x < blockSize / 32 ? s[threadIdx.x] : 0;
        for (int offset = 16; offset > 0; offset /= 2)
            mine += __shfl_down_sync(0xffffffff, mine, offset);
        if (threadIdx.x == 0)
            out[blockIdx.x] = mine;
    }
}

int finish(const int *d_out, int blocks) {
    std::vector<int> partial(blocks);
    CHECK(cudaMemcpy(partial.data(), d_out, blocks * sizeof(int), cudaMemcpyDeviceToHost));
    int sum = 0;
    for (int p : partial)
        sum += p;
    return sum;
}

int main() {
    const unsigned n = 100003;
    std::vector<int> in(n);
    int expected = 0;
    for (unsigned i = 0; i < n; i++)
        expected += in[i] = int(i * 2654435761u >> 24);
    int *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, n * sizeof(int)));
    CHECK(cudaMalloc(&d_out, 1024 * sizeof(int)));
    CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    const int threads = 256;
    int blocks = (n + threads - 1) / threads;
    interleaved<<<blocks, threads, threads * sizeof(int)>>>(d_in, d_out, n);
    printf("interleaved: %d, expected %d\n", finish(d_out, blocks), expected);
    blocks = (n + 2 * threads - 1) / (2 * threads);
    sequential<<<blocks, threads, threads * sizeof(int)>>>(d_in, d_out, n);
    printf("sequential:  %d, expected %d\n", finish(d_out, blocks), expected);
    for (unsigned size = 64; size <= 512; size *= 2) {
        switch (size) {
        case 64: unrolled<64><<<32, 64>>>(d_in, d_out, n); break;
        case 128: unrolled<128><<<32, 128>>>(d_in, d_out, n); break;
        case 256: unrolled<256><<<32, 256>>>(d_in, d_out, n); break;
        case 512: unrolled<512><<<32, 512>>>(d_in, d_out, n); break;
        }
        CHECK(cudaGetLastError());
        printf("shuffle %3u: %d, expected %d\n", size, finish(d_out, 32), expected);
    }
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
}
