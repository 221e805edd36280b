// sim --grid 1 --block 64 --budget 3000000 --arg i32*64=uniform:const --arg i32*64=uninit
// advises the number of arrivals
#include <cuda/barrier>
#pragma nv_diag_suppress static_var_with_dynamic_init
__global__ void k(const int *in, int *out) {
    __shared__ int s[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> ready;
    int t = threadIdx.x;
    if (t == 0)
        init(&ready, 1);
    __syncthreads();
    s[t] = in[t];
    if (t == 0)
        ready.arrive(2); // HAZARD barrier-divergence error
    out[t] = s[t];
}
