// sim --kernel sizes --grid 1 --block 64 --arg i8*64=iota --arg i32*64=uninit
// The groups' own traits, which stand in for libcu++'s, do not know this type: compiled again with libcu++.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void sizes(const signed char *in, int *out) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto same = cg::labeled_partition(warp, (signed char)(in[threadIdx.x] % 4));
    out[threadIdx.x] = (int)same.size();
}

__global__ void check(const signed char *in, const int *out) {
    for (int i = 0; i < 64; i++)
        if (out[i] != 8)
            __trap();
}
