// sim --grid 2 --block 2 --arg f32*1=zero
// prints block 0 thread 0: 0.50 a hello 0xff
// prints block 0 thread 1: 1.50 b hello 0xff
// prints block 1 thread 0: 10.50 a hello 0xff
// prints block 1 thread 1: 11.50 b hello 0xff
#include <stdio.h>
__global__ void k(float *a) {
    printf("block %d thread %u: %.2f %c %s 0x%llx\n", blockIdx.x, threadIdx.x,
           10.0 * blockIdx.x + threadIdx.x + 0.5f, 'a' + threadIdx.x, "hello", 255ll);
}
