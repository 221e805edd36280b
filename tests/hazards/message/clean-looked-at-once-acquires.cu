// sim --grid 2 --block 32 --arg i32*1=zero --arg i32*1=zero --arg i32*1=zero
// both builds
#include <cuda/atomic>
using ref = cuda::atomic_ref<int, cuda::thread_scope_device>;
__global__ void k(int *data, int *flag, int *out) {
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        *data = 7;
        ref(*flag).store(1, cuda::memory_order_release);
    } else if (ref(*flag).load(cuda::memory_order_acquire)) {
        *out = *data;
    }
}
