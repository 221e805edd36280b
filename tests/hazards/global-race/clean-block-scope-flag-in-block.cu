// sim --grid 3 --block 64 --arg i32*3=zero --arg i32*96=zero --arg i32*96=uninit
#include <cuda/atomic>
__global__ void k(int *flag, int *box, int *out) {
    cuda::atomic_ref<int, cuda::thread_scope_block> ready(flag[blockIdx.x]);
    int lane = threadIdx.x % 32, i = 32 * blockIdx.x + lane;
    if (threadIdx.x < 32) {
        box[i] = 100 + i;
        ready.fetch_add(1, cuda::memory_order_release);
    } else {
        while (ready.load(cuda::memory_order_acquire) != 32)
            ;
        out[i] = box[32 * blockIdx.x + 31 - lane];
    }
}
__global__ void check(int *flag, int *box, int *out) {
    for (int i = 0; i < 96; i++)
        if (out[i] != 100 + i / 32 * 32 + 31 - i % 32)
            __trap();
}
