// sim --grid 3 --block 32 --arg i32*1=zero --arg i32*1=zero
__global__ void k(int *count, int *ready) {
    if (threadIdx.x == 0) {
        if (blockIdx.x == 0) {
            *count = 0;
            __threadfence();
            atomicExch(ready, 1);
        } else {
            while (atomicAdd(ready, 0) == 0)
                ;
            __threadfence();
        }
        atomicAdd(count, 1);
    }
}
