// sim --arch compute_90 --grid 1 --block 64 --arg i32*256=uniform:const --arg i32*256=uninit
#include <cuda/barrier>
#include <cuda/ptx>
#pragma nv_diag_suppress static_var_with_dynamic_init
// One thread copies by bulk; all wait for the bytes; one writes them back by bulk.
__global__ void k(const int *in, int *out) {
    __shared__ alignas(128) int s[256];
    __shared__ cuda::barrier<cuda::thread_scope_block> ready;
    if (threadIdx.x == 0) {
        init(&ready, blockDim.x);
        cuda::device::experimental::fence_proxy_async_shared_cta();
    }
    __syncthreads();
    cuda::barrier<cuda::thread_scope_block>::arrival_token token;
    if (threadIdx.x == 0) {
        cuda::device::memcpy_async_tx(s, in, cuda::aligned_size_t<16>(sizeof s), ready);
        token = cuda::device::barrier_arrive_tx(ready, 1, sizeof s);
    } else {
        token = ready.arrive();
    }
    ready.wait(std::move(token));
    for (int i = threadIdx.x; i < 256; i += 64)
        s[i] += 7;
    cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
        cuda::ptx::cp_async_bulk(cuda::ptx::space_global, cuda::ptx::space_shared, out, s, sizeof s);
        cuda::ptx::cp_async_bulk_commit_group();
        cuda::ptx::cp_async_bulk_wait_group_read(cuda::ptx::n32_t<0>());
    }
}
__global__ void check(const int *in, int *out) {
    for (int i = 0; i < 256; i++)
        if (out[i] != in[i] + 7)
            __trap();
}
