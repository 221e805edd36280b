// sim --grid 40 --block 96 --arg i32*3840=const:1:const --arg i32*40=uninit --arg i32*1=uninit
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(const int *in, int *partial, int *sum) {
    __shared__ int s;
    auto grid = cg::this_grid();
    if (threadIdx.x == 0)
        s = 0;
    __syncthreads();
    atomicAdd(&s, in[grid.thread_rank()]);
    __syncthreads();
    if (threadIdx.x == 0)
        partial[blockIdx.x] = s;
    grid.sync();
    if (grid.thread_rank() == 0) {
        int total = 0;
        for (int i = 0; i < gridDim.x; i++)
            total += partial[i];
        *sum = total;
    }
}
__global__ void check(const int *in, int *partial, int *sum) {
    if (*sum != 3840)
        __trap();
}
