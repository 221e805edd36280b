// sim --grid 3 --block 32 --arg i32*1=zero --arg i32*1=zero
// What a strong store has covered is not read by the atomics after it.
#include <cuda/atomic>
__global__ void k(int *count, int *turn) {
    if (threadIdx.x)
        return;
    cuda::atomic_ref<int, cuda::thread_scope_device> c(*count), t(*turn);
    if (blockIdx.x == 0) {
        c.fetch_add(5, cuda::memory_order_relaxed);
        t.store(1, cuda::memory_order_relaxed);
    } else if (blockIdx.x == 1) {
        while (t.load(cuda::memory_order_relaxed) != 1)
            ;
        c.store(7, cuda::memory_order_relaxed);
        t.store(2, cuda::memory_order_relaxed);
    } else {
        while (t.load(cuda::memory_order_relaxed) != 2)
            ;
        if (c.fetch_add(1, cuda::memory_order_relaxed) == 7)
            *count = 0; // HAZARD global-race error
    }
}
