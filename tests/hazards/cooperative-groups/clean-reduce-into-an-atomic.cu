// sim --kernel sums --grid 2 --block 64 --arg i32*128=iota --arg i32*2=uninit
// Functions of the groups that there are only where cooperative_groups.h includes libcu++.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>

namespace cg = cooperative_groups;

__global__ void sums(const int *in, int *out) {
    __shared__ int total;
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    if (block.thread_rank() == 0)
        total = 0;
    block.sync();
    cuda::atomic_ref<int, cuda::thread_scope_block> sum(total);
    cg::reduce_update_async(warp, sum, in[blockIdx.x * 64 + block.thread_rank()], cg::plus<int>());
    block.sync();
    if (block.thread_rank() == 0)
        out[blockIdx.x] = total;
}

__global__ void check(const int *in, const int *out) {
    for (int block = 0; block < 2; block++)
        if (out[block] != 64 * (128 * block + 63) / 2)
            __trap();
}
