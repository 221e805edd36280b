// sim --grid 2 --block 32 --arg i32*1=zero --arg i32*2=zero --arg i32*1=uninit
// says an access of cuda::thread_scope_block is atomic only among the threads of one block
// says the fence or release after the other access orders only threads of its own block
#include <cuda/atomic>
__global__ void k(int *flag, int *box, int *out) {
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        cuda::atomic_ref<int, cuda::thread_scope_block> ready(*flag);
        box[0] = 41;
        box[1] = 1;
        ready.store(1, cuda::memory_order_release);
    } else {
        cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
        while (ready.load(cuda::memory_order_acquire) == 0) // HAZARD global-race error
            ;
        *out = box[0] + box[1]; // HAZARD global-race error
    }
}
