// sim --device-debug --kernel phases --grid 2 --block 64 --arg i32*128=zero
// says whose phase lacks 1 of 64 arrivals
// The second phase lacks a thread that waits for the third. What a wait keeps in local memory, the
// time for one, is another in each round.
#include <cuda/barrier>

__global__ void phases(int *out) {
    __shared__ alignas(8) char memory[sizeof(cuda::barrier<cuda::thread_scope_block>)];
    auto &barrier = *reinterpret_cast<cuda::barrier<cuda::thread_scope_block> *>(memory);
    if (threadIdx.x == 0)
        init(&barrier, blockDim.x);
    __syncthreads();
    barrier.arrive_and_wait();
    out[blockIdx.x * 64 + threadIdx.x] = 1;
    if (threadIdx.x == 40)
        return;
    barrier.arrive_and_wait(); // HAZARD deadlock error
    out[blockIdx.x * 64 + threadIdx.x] = 2;
}
