// sim --grid 1 --block 32 --device-debug --arg f16*32=uninit --arg f16*32=zero
#include <cuda_fp16.h>
__global__ void k(const __half *a, __half *b) {
    b[threadIdx.x] = __hadd(a[threadIdx.x], // HAZARD uninitialized-read error
                            b[threadIdx.x]);
}
