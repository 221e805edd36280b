// sim --seed 5 --grid 16 --block 64 --arg i32*16=zero --arg i32*16=zero
__global__ void k(int *sum, int *flag) {
    int b = blockIdx.x;
    if (threadIdx.x == 0) {
        int before = 0;
        if (b > 0) {
            while (atomicAdd(&flag[b - 1], 0) == 0) // HAZARD block-order warning
                ;
            __threadfence();
            before = sum[b - 1];
        }
        sum[b] = before + b;
        __threadfence();
        atomicExch(&flag[b], 1);
    }
}
