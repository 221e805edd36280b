// sim --grid 1 --block 64 --arg i32*64=iota:const --arg i32*64=zero
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(const int *a, int *b) {
    __shared__ int s[64];
    int t = threadIdx.x;
    if (a[t] % 3 == 0) {
        auto g = cg::coalesced_threads();
        int base = t / 32 * 32;
        s[base + g.thread_rank()] = a[t];
        g.sync();
        b[t] = s[base + g.size() - 1 - g.thread_rank()];
    }
}
