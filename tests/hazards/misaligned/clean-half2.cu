// sim --grid 1 --block 16 --arg f16*32=iota --arg f16*32=zero
#include <cuda_fp16.h>
__global__ void k(const __half *a, __half *b) {
    __half2 v = *(const __half2 *)(a + 2 * threadIdx.x);
    *(__half2 *)(b + 2 * threadIdx.x) = __hadd2(v, v);
}
