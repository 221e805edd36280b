// sim --grid 2 --block 256 --arg i32*512=uniform:const --arg i32*512=uninit
#include <cuda/barrier>
#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void k(const int *in, int *out) {
    __shared__ int s[256];
    __shared__ cuda::barrier<cuda::thread_scope_block> ready;
    int first = blockIdx.x * 256, t = threadIdx.x;
    if (t == 0)
        init(&ready, blockDim.x);
    __syncthreads();
    cuda::memcpy_async(&s[t], &in[first + t], sizeof(int), ready);
    ready.arrive_and_wait();
    int x = s[255 - t];
    auto token = ready.arrive(); // all have read
    ready.wait(std::move(token));
    s[t] = x + 1;
    ready.arrive_and_wait();
    out[first + t] = s[(t + 1) % 256];
}
__global__ void check(const int *in, int *out) {
    for (int i = 0; i < 512; i++)
        if (out[i] != in[i / 256 * 256 + 255 - (i + 1) % 256] + 1)
            __trap();
}
