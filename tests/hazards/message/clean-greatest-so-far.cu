// sim --grid 3 --block 32 --arg i32*1=zero --arg i32*1=zero --arg i32*96=iota
// both builds
// Whoever reads the maximum takes what is there: another one comes with an atomic.
#include <cuda/atomic>
using ref = cuda::atomic_ref<int, cuda::thread_scope_device>;
__global__ void k(int *best, int *started, const int *x) {
    if (threadIdx.x == 0) {
        atomicMax(best, x[blockIdx.x * 32]);
        atomicAdd(started, 1);
        while (ref(*started).load(cuda::memory_order_relaxed) < gridDim.x)
            ;
        int seen = ref(*best).load(cuda::memory_order_relaxed);
        for (int i = 0; i < 32; i++)
            seen = max(seen, x[blockIdx.x * 32 + i]);
        atomicMax(best, seen);
    }
}
