// sim --seed 9 --grid 4,4 --block 32 --arg i32*16=zero
// says waits for what block
#include <cuda/atomic>
__global__ void k(int *row) {
    if (threadIdx.x)
        return;
    int b = blockIdx.y * 4 + blockIdx.x;
    if (blockIdx.y > 0)
        while (cuda::atomic_ref<int, cuda::thread_scope_device>(row[b - 4]).load( // HAZARD block-order warning
                   cuda::memory_order_acquire) == 0)
            ;
    cuda::atomic_ref<int, cuda::thread_scope_device>(row[b]).store(1, cuda::memory_order_release);
}
