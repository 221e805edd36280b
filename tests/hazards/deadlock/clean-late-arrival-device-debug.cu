// sim --device-debug --kernel late --grid 1 --block 64 --arg i32*64=zero
// One thread arrives long after the others began to poll.
#include <cuda/barrier>

__global__ void late(int *out) {
    __shared__ alignas(8) char memory[sizeof(cuda::barrier<cuda::thread_scope_block>)];
    auto &barrier = *reinterpret_cast<cuda::barrier<cuda::thread_scope_block> *>(memory);
    __shared__ int sum;
    if (threadIdx.x == 0)
        init(&barrier, blockDim.x);
    __syncthreads();
    if (threadIdx.x == 7) {
        int total = 0;
        for (int i = 0; i < 60000; i++)
            total += i & 3;
        sum = total;
    }
    barrier.arrive_and_wait();
    out[threadIdx.x] = sum;
}

__global__ void check(const int *out) {
    for (int i = 0; i < 64; i++)
        if (out[i] != 90000)
            __trap();
}
