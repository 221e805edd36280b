// sim --grid 4 --block 32 --arg i32*2=zero --arg i32*2=zero
__global__ void k(int *locks, int *sums) {
    if (threadIdx.x)
        return;
    for (int i = 0; i < 2; i++)
        while (atomicCAS(&locks[i], 0, 1))
            ;
    __threadfence();
    sums[0] += 1;
    sums[1] += 2;
    __threadfence();
    for (int i = 1; i >= 0; i--)
        atomicExch(&locks[i], 0);
}
