// sim --grid 1 --block 96 --arg i32*192=uniform:const --arg i32*192=uninit
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
__global__ void k(const int *in, int *out) {
    __shared__ __align__(16) int s[192];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, s, in, sizeof s);
    cg::wait(block);
    for (int i = threadIdx.x; i < 192; i += 96)
        out[i] = s[191 - i];
}
__global__ void check(const int *in, int *out) {
    for (int i = 0; i < 192; i++)
        if (out[i] != in[191 - i])
            __trap();
}
