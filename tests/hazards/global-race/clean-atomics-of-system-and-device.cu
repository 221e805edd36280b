// sim --grid 4 --block 64 --arg u32*2=zero
#include <cuda/atomic>
__global__ void k(unsigned *n) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_system> whole(n[1]);
    if (blockIdx.x % 2)
        atomicAdd_system(&n[0], 1u);
    else
        atomicAdd(&n[0], 1u);
    whole.fetch_add(2u, cuda::memory_order_relaxed);
    atomicAdd(&n[1], 1u);
    __shared__ unsigned s;
    if (threadIdx.x == 0)
        s = 0;
    __syncthreads();
    atomicAdd_block(&s, 1u);
}
__global__ void check(unsigned *n) {
    if (n[0] != 256 || n[1] != 768)
        __trap();
}
