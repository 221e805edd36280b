// sim --grid 16 --block 256 --seed 7 --budget 3000000 --arg u32*2=zero --arg u32*64=zero
/* Each thread takes a ticket: the way from one to the next leads through all that came between, and
 * each of them changes the number that all others wait for. */
__global__ void k(volatile unsigned *lock, volatile unsigned *bins) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned mine = atomicAdd((unsigned *)&lock[0], 1);
    while (lock[1] != mine)
        ;
    __threadfence();
    bins[i * 7 % 64]++;
    __threadfence();
    atomicAdd((unsigned *)&lock[1], 1);
}
__global__ void check(volatile unsigned *lock, volatile unsigned *bins) {
    for (int i = 0; i < 64; i++)
        if (bins[i] != 4096 / 64)
            __trap();
}
