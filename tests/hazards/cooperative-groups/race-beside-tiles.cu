// sim --kernel turn --grid 1 --block 128 --arg i32*128=iota --arg i32*128=uninit
// A tile's sync() orders its own threads, and no others.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void turn(const int *in, int *out) {
    __shared__ cg::block_tile_memory<128> memory;
    __shared__ int turned[128];
    cg::thread_block block = cg::this_thread_block(memory);
    auto pair = cg::tiled_partition<64>(block);
    unsigned rank = block.thread_rank();
    turned[rank] = 0;
    block.sync();
    turned[rank] = in[rank]; // HAZARD shared-race error
    pair.sync();
    out[rank] = turned[127 - rank];
}
