// sim --kernel sums --grid 2 --block 256 --arg i32*512=iota --arg i32*8=uninit
// both builds
// Tiles of several warps keep their state in shared memory that the system reserves.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void sums(const int *in, int *out) {
    __shared__ cg::block_tile_memory<256> memory;
    cg::thread_block block = cg::this_thread_block(memory);
    auto tile = cg::tiled_partition<64>(block);
    int value = in[blockIdx.x * 256 + block.thread_rank()];
    tile.sync();
    int sum = cg::reduce(tile, value, cg::plus<int>());
    int largest = cg::reduce(tile, value, cg::greater<int>());
    if (tile.thread_rank() == 0)
        out[blockIdx.x * 4 + tile.meta_group_rank()] = sum - largest;
}

__global__ void check(const int *in, const int *out) {
    for (int tile = 0; tile < 8; tile++)
        if (out[tile] != 64 * (128 * tile + 63) / 2 - (64 * tile + 63))
            __trap();
}
