// sim --grid 1 --block 64 --device-debug --arg i32*64=iota
// hundreds of small functions of the toolkit's headers
#include <cuda/barrier>
__global__ void k(int *a) {
    __shared__ alignas(8) char memory[sizeof(cuda::barrier<cuda::thread_scope_block>)];
    __shared__ int s[64];
    auto &bar = *reinterpret_cast<cuda::barrier<cuda::thread_scope_block> *>(memory);
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    s[threadIdx.x] = a[threadIdx.x];
    bar.arrive_and_wait();
    a[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void check(int *a) {
    for (int i = 0; i < 64; i++)
        if (a[i] != 63 - i)
            __trap();
}
