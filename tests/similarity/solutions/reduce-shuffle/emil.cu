// warpgrade: reduce-shuffle
#include <cooperative_groups.h>
#define BLOCK_SIZE 256
#define ITEMS 8
namespace cg = cooperative_groups;

__global__ void reduce(const float *x, float *out, int n)
{
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    __shared__ double totals[BLOCK_SIZE / 32];
    double s = 0;
    long long at = (long long)blockIdx.x * BLOCK_SIZE * ITEMS;
    for (int j = 0; j < ITEMS; ++j) {
        long long e = at + (long long)j * BLOCK_SIZE + block.thread_rank();
        if (e >= n)
            break;
        s += x[e];
    }
    for (int o = tile.size() / 2; o; o /= 2)
        s += tile.shfl_down(s, o);
    if (tile.thread_rank() == 0)
        totals[tile.meta_group_rank()] = s;
    block.sync();
    if (block.thread_rank() == 0) {
        for (int g = 1; g < BLOCK_SIZE / 32; ++g)
            s += totals[g];
        atomicAdd(out, (float)s);
    }
}
