// sim --grid 1 --block 64 --arg i32*64=zero --arg i32=50
// both builds
// says whose phase lacks 14 of 64 arrivals; 14 threads have left the kernel
// its wait looks at the clock, to sleep longer each time
#include <cuda/barrier>
__global__ void k(int *a, int n) {
    __shared__ alignas(8) char memory[sizeof(cuda::barrier<cuda::thread_scope_block>)];
    auto &bar = *reinterpret_cast<cuda::barrier<cuda::thread_scope_block> *>(memory);
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    if (threadIdx.x >= n)
        return;
    bar.arrive_and_wait(); // HAZARD deadlock error
    a[threadIdx.x] = 1;
}
