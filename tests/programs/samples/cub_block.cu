// CUB within a block: load, sort, scan and store of a tile, as a library of building blocks.
#include "check.h"

#include <algorithm>
#include <cub/cub.cuh>
#include <vector>

template <int THREADS, int ITEMS> __global__ void sort_and_scan(int *data, int *aggregate) {
    using Load = cub::BlockLoad<int, THREADS, ITEMS, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using Store = cub::BlockStore<int, THREADS, ITEMS, cub::BLOCK_STORE_WARP_TRANSPOSE>;
    using Sort = cub::BlockRadixSort<int, THREADS, ITEMS>;
    using Scan = cub::BlockScan<int, THREADS>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Store::TempStorage store;
        typename Sort::TempStorage sort;
        typename Scan::TempStorage scan;
    } temporary;
    int items[ITEMS], sum, offset = blockIdx.x * THREADS * ITEMS;
    Load(temporary.load).Load(data + offset, items);
    __syncthreads();
    Sort(temporary.sort).Sort(items);
    __syncthreads();
    Scan(temporary.scan).InclusiveSum(items, items, sum);
    __syncthreads();
    Store(temporary.store).Store(data + offset, items);
    if (threadIdx.x == 0)
        aggregate[blockIdx.x] = sum;
}

int main() {
    const int THREADS = 64, ITEMS = 4, BLOCKS = 3, n = THREADS * ITEMS * BLOCKS;
    std::vector<int> h(n), out(n);
    Random random(14);
    for (int &x : h)
        x = random.below(100);
    int *d, *d_sums, sums[BLOCKS];
    CHECK(cudaMalloc(&d, n * sizeof(int)));
    CHECK(cudaMalloc(&d_sums, sizeof sums));
    CHECK(cudaMemcpy(d, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    sort_and_scan<THREADS, ITEMS><<<BLOCKS, THREADS>>>(d, d_sums);
    CHECK(cudaMemcpy(out.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int b = 0; b < BLOCKS; b++) {
        std::sort(h.begin() + b * THREADS * ITEMS, h.begin() + (b + 1) * THREADS * ITEMS);
        int sum = 0;
        for (int i = b * THREADS * ITEMS; i < (b + 1) * THREADS * ITEMS; i++)
            wrong += out[i] != (sum += h[i]);
    }
    printf("sums %d %d %d, %d wrong\n", sums[0], sums[1], sums[2], wrong);
    CHECK(cudaFree(d));
    CHECK(cudaFree(d_sums));
    return wrong;
}
