// sim --grid 2 --block 32 --arg i32*1=zero --arg i32*1=zero --arg i32*1=zero
#include <cuda/atomic>
using ref = cuda::atomic_ref<int, cuda::thread_scope_device>;
// It polls without order, and acquires when it has found something.
__global__ void k(int *data, int *flag, int *out) {
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        ref(*data).store(7, cuda::memory_order_relaxed);
        ref(*flag).store(1, cuda::memory_order_release);
        return;
    }
    while (ref(*flag).load(cuda::memory_order_relaxed) == 0)
        ;
    (void)ref(*flag).load(cuda::memory_order_acquire);
    *out = ref(*data).load(cuda::memory_order_relaxed);
}
