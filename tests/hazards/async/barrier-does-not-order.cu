// sim --grid 1 --block 64 --budget 3000000 --arg i32*64=uniform:const --arg i32*64=uninit
#include <cuda/barrier>
#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void k(const int *in, int *out) {
    __shared__ int s[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> ready;
    int t = threadIdx.x;
    if (t == 0)
        init(&ready, blockDim.x);
    __syncthreads();
    s[t] = in[t]; // HAZARD shared-race error
    ready.arrive(); // and no wait
    out[t] = s[63 - t];
} // maybe uninitialized-read
