// sim --grid 2 --block 32 --arg i32*1=zero --arg i32*1=zero --arg i32*1=zero
#include <cuda/atomic>
__global__ void k(int *data, int *flag, int *out) {
    if (threadIdx.x)
        return;
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
    if (blockIdx.x == 0) {
        *data = 7;
        ready.store(1, cuda::std::memory_order_relaxed);
    } else {
        while (ready.load(cuda::std::memory_order_relaxed) == 0)
            ;
        *out = *data; // HAZARD global-race error
    }
}
