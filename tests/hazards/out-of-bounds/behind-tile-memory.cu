// sim --kernel sums --grid 1 --block 128 --arg i32*128=iota --arg i32*2=uninit
// says which belongs to no variable
// The system's part of shared memory is not what lies in front of the first variable.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void sums(const int *in, int *out) {
    __shared__ cg::block_tile_memory<128> memory;
    __shared__ int kept[128];
    cg::thread_block block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<64>(block);
    unsigned rank = block.thread_rank();
    kept[rank] = in[rank];
    block.sync();
    int value = rank ? kept[rank] : 0;
    if (in[1] == 1 && rank == 0)
        value = *(volatile int *)(kept - in[1]); // HAZARD out-of-bounds error
    int sum = cg::reduce(tile, value, cg::plus<int>());
    if (tile.thread_rank() == 0)
        out[tile.meta_group_rank()] = sum;
}
