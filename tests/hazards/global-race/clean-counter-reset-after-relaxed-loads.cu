// sim --grid 3 --block 32 --arg i32*1=zero --arg i32*1=zero
// both builds
#include <cuda/atomic>
__global__ void k(int *c, int *out) {
    if (threadIdx.x)
        return;
    cuda::atomic_ref<int, cuda::thread_scope_device> a(*c);
    if (blockIdx.x != 0)
        a.fetch_add(1, cuda::memory_order_relaxed);
    else {
        while (a.load(cuda::memory_order_relaxed) < 2)
            ;
        *c = 0;
        *out = 1;
    }
}
