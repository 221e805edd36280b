// sim --grid 1 --block 32 --arg i32*32=iota --arg i32*1=zero
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(const int *a, int *count) {
    if (a[threadIdx.x] % 3 == 0) {
        cg::coalesced_group group = cg::coalesced_threads();
        if (group.thread_rank() == 0)
            atomicAdd(count, (int)group.size());
        group.sync();
    }
}
__global__ void check(const int *a, int *count) {
    if (*count != 11)
        __trap();
}
