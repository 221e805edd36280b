// sim --grid 4 --block 32 --arg i32*1=zero --arg i32*1=zero
#include <cuda/atomic>
__device__ cuda::atomic<int, cuda::thread_scope_device> lock;
__global__ void k(int *sum, int *dummy) {
    if (threadIdx.x)
        return;
    while (lock.exchange(1, cuda::std::memory_order_acquire))
        ;
    *sum += blockIdx.x;
    lock.store(0, cuda::std::memory_order_release);
}
