// sim --grid 2 --block 64 --arg i32*64=zero --arg i32*64=uninit --arg i32*64=zero
// Fences of the block, a barrier, then one thread's fence for all that the block has done.
#include <cuda/atomic>
__global__ void k(int *box, int *out, int *seen) {
    __shared__ int arrived;
    int t = threadIdx.x;
    cuda::atomic_ref<int, cuda::thread_scope_device> full(seen[0]);
    if (t == 0)
        arrived = 0;
    __syncthreads();
    if (blockIdx.x == 0) {
        box[t] = t + 1;
        __threadfence_block();
        atomicAdd_block(&arrived, 1);
        __syncthreads();
        if (t == 63)
            full.store(arrived, cuda::memory_order_release);
    } else {
        while (full.load(cuda::memory_order_acquire) != 64)
            ;
        out[t] = box[63 - t];
    }
}
__global__ void check(int *box, int *out, int *seen) {
    for (int i = 0; i < 64; i++)
        if (out[i] != 64 - i)
            __trap();
}
