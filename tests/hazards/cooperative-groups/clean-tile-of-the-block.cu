// sim --kernel scan --grid 3 --block 128 --arg i32*384=iota --arg i32*384=uninit --arch compute_90
// Scans and broadcasts over tiles of two and four warps, beside shared variables of the kernel.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

__global__ void scan(const int *in, int *out) {
    __shared__ cg::block_tile_memory<128> memory;
    __shared__ int turned[128];
    cg::thread_block block = cg::this_thread_block(memory);
    auto pair = cg::tiled_partition<64>(block);
    auto whole = cg::tiled_partition<128>(block);
    unsigned rank = block.thread_rank();
    turned[127 - rank] = in[blockIdx.x * 128 + rank];
    whole.sync();
    int before = cg::exclusive_scan(pair, turned[rank]);
    int first = pair.shfl(turned[rank], 0);
    int most = cg::reduce(whole, before, cg::greater<int>());
    out[blockIdx.x * 128 + rank] = most - before + first;
}

__global__ void check(const int *in, const int *out) {
    for (int block = 0; block < 3; block++) {
        const int *its = in + 128 * block;
        int most = 0, before[128];
        for (int i = 0; i < 128; i++) {
            before[i] = i % 64 ? before[i - 1] + its[127 - (i - 1)] : 0;
            most = before[i] > most ? before[i] : most;
        }
        for (int i = 0; i < 128; i++)
            if (out[128 * block + i] != most - before[i] + its[127 - i / 64 * 64])
                __trap();
    }
}
