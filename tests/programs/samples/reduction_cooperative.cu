// A sum in one launch: the grid meets between the two passes (cooperative groups).
#include "check.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <vector>

namespace cg = cooperative_groups;

__global__ void reduce(const int *in, int *partial, int n) {
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    __shared__ int s[32];
    int mine = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size())
        mine += in[i];
    mine = cg::reduce(tile, mine, cg::plus<int>());
    if (tile.thread_rank() == 0)
        s[tile.meta_group_rank()] = mine;
    block.sync();
    if (block.thread_rank() == 0) {
        int sum = 0;
        for (unsigned i = 0; i < tile.meta_group_size(); i++)
            sum += s[i];
        partial[blockIdx.x] = sum;
    }
    grid.sync();
    if (grid.thread_rank() == 0)
        for (unsigned b = 1; b < gridDim.x; b++)
            partial[0] += partial[b];
}

int main() {
    int supported = 0, n = 40000, device = 0;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, device));
    printf("cooperative launch: %s\n", supported ? "supported" : "not supported");
    std::vector<int> in(n);
    int expected = 0, sum = 0;
    for (int i = 0; i < n; i++)
        expected += in[i] = i % 17 - 5;
    int *d_in, *d_partial, blocks = 16, threads = 256;
    CHECK(cudaMalloc(&d_in, n * sizeof(int)));
    CHECK(cudaMalloc(&d_partial, blocks * sizeof(int)));
    CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    void *args[] = {&d_in, &d_partial, &n};
    CHECK(cudaLaunchCooperativeKernel((void *)reduce, dim3(blocks), dim3(threads), args, 0, 0));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(&sum, d_partial, sizeof(int), cudaMemcpyDeviceToHost));
    printf("sum %d, expected %d\n", sum, expected);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_partial));
    return sum == expected ? 0 : 1;
}
