// Sorts keys with values: steps within a block in shared memory, larger ones by launches.
#include "check.h"

#include <algorithm>
#include <utility>
#include <vector>

const unsigned SHARED = 512;

__device__ void order(unsigned &keyA, unsigned &valueA, unsigned &keyB, unsigned &valueB, bool ascending) {
    if ((keyA > keyB) == ascending) {
        unsigned t = keyA;
        keyA = keyB;
        keyB = t;
        t = valueA;
        valueA = valueB;
        valueB = t;
    }
}

__global__ void sort_shared(unsigned *keys, unsigned *values, unsigned from, unsigned to) {
    __shared__ unsigned k[SHARED], v[SHARED];
    unsigned base = blockIdx.x * SHARED;
    for (unsigned i = threadIdx.x; i < SHARED; i += blockDim.x) {
        k[i] = keys[base + i];
        v[i] = values[base + i];
    }
    for (unsigned size = from; size <= to; size *= 2)
        for (unsigned stride = min(size / 2, SHARED / 2); stride > 0; stride /= 2) {
            __syncthreads();
            unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            bool ascending = ((base + pos) & size) == 0;
            order(k[pos], v[pos], k[pos + stride], v[pos + stride], ascending);
        }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < SHARED; i += blockDim.x) {
        keys[base + i] = k[i];
        values[base + i] = v[i];
    }
}

__global__ void merge_global(unsigned *keys, unsigned *values, unsigned size, unsigned stride) {
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned pos = 2 * t - (t & (stride - 1));
    order(keys[pos], values[pos], keys[pos + stride], values[pos + stride], (pos & size) == 0);
}

int main() {
    const unsigned n = 4096;
    std::vector<unsigned> keys(n), values(n);
    std::vector<std::pair<unsigned, unsigned>> expected(n);
    Random random(11);
    for (unsigned i = 0; i < n; i++)
        expected[i] = {keys[i] = random.next(), values[i] = i};
    std::sort(expected.begin(), expected.end());
    unsigned *d_keys, *d_values;
    CHECK(cudaMalloc(&d_keys, n * sizeof(unsigned)));
    CHECK(cudaMalloc(&d_values, n * sizeof(unsigned)));
    CHECK(cudaMemcpy(d_keys, keys.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_values, values.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
    int launches = 1;
    sort_shared<<<n / SHARED, SHARED / 2>>>(d_keys, d_values, 2, SHARED);
    for (unsigned size = 2 * SHARED; size <= n; size *= 2) {
        for (unsigned stride = size / 2; stride >= SHARED; stride /= 2, launches++)
            merge_global<<<n / 512, 256>>>(d_keys, d_values, size, stride);
        sort_shared<<<n / SHARED, SHARED / 2>>>(d_keys, d_values, size, size);
        launches++;
    }
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(keys.data(), d_keys, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(values.data(), d_values, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (unsigned i = 0; i < n; i++)
        wrong += keys[i] != expected[i].first || values[i] != expected[i].second;
    printf("%u keys in %d launches: %d wrong; first %u, last %u\n", n, launches, wrong, keys[0], keys[n - 1]);
    CHECK(cudaFree(d_keys));
    CHECK(cudaFree(d_values));
    return wrong != 0;
}
