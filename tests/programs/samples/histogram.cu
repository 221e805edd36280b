// Bytes counted in 256 bins: by atomics on global memory, and by each block in shared memory.
#include "check.h"

#include <cstring>
#include <vector>

__global__ void in_global(const unsigned char *data, int n, unsigned *bins) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[data[i]], 1u);
}

__global__ void in_shared(const uchar4 *data, int n, unsigned *bins) {
    __shared__ unsigned s[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        s[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x) {
        uchar4 four = data[i];
        atomicAdd(&s[four.x], 1u);
        atomicAdd(&s[four.y], 1u);
        atomicAdd(&s[four.z], 1u);
        atomicAdd(&s[four.w], 1u);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        atomicAdd(&bins[b], s[b]);
}

int main() {
    const int n = 1 << 16;
    std::vector<unsigned char> data(n);
    std::vector<unsigned> expected(256), bins(256);
    Random random(3);
    for (unsigned char &x : data)
        expected[x = (unsigned char)((random.below(256) + random.below(256)) / 2)]++;
    unsigned char *d_data;
    unsigned *d_bins;
    CHECK(cudaMalloc(&d_data, n));
    CHECK(cudaMalloc(&d_bins, 256 * sizeof(unsigned)));
    CHECK(cudaMemcpy(d_data, data.data(), n, cudaMemcpyHostToDevice));
    for (int way = 0; way < 2; way++) {
        CHECK(cudaMemset(d_bins, 0, 256 * sizeof(unsigned)));
        if (way == 0)
            in_global<<<24, 128>>>(d_data, n, d_bins);
        else
            in_shared<<<24, 128>>>((const uchar4 *)d_data, n, d_bins);
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaMemcpy(bins.data(), d_bins, 256 * sizeof(unsigned), cudaMemcpyDeviceToHost));
        printf("%s: %s; bins 0, 64, 128, 255: %u %u %u %u\n", way ? "shared" : "global",
               memcmp(bins.data(), expected.data(), 256 * sizeof(unsigned)) ? "WRONG" : "right", bins[0],
               bins[64], bins[128], bins[255]);
    }
    CHECK(cudaFree(d_data));
    CHECK(cudaFree(d_bins));
}
