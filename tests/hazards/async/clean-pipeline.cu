// sim --grid 1 --block 128 --arg i32*512=uniform:const --arg i32*512=uninit
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>
#pragma nv_diag_suppress static_var_with_dynamic_init
namespace cg = cooperative_groups;
__global__ void k(const int *in, int *out) {
    __shared__ int s[2][128];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    for (int i = 0; i < 2; i++) {
        pipe.producer_acquire();
        cuda::memcpy_async(block, s[i], in + i * 128, cuda::aligned_size_t<16>(512), pipe);
        pipe.producer_commit();
    }
    for (int i = 0; i < 4; i++) {
        pipe.consumer_wait();
        out[i * 128 + threadIdx.x] = s[i % 2][127 - threadIdx.x];
        pipe.consumer_release();
        if (i < 2) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, s[i], in + (i + 2) * 128, cuda::aligned_size_t<16>(512), pipe);
            pipe.producer_commit();
        }
    }
}
__global__ void check(const int *in, int *out) {
    for (int i = 0; i < 512; i++)
        if (out[i] != in[i / 128 * 128 + 127 - i % 128])
            __trap();
}
