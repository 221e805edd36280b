// sim --grid 2 --block 1 --arg u32*2=zero --arg u32*2=zero
__global__ void k(volatile unsigned *lock, unsigned *sums) {
    unsigned mine = atomicAdd((unsigned *)&lock[0], 1);
    while (lock[1] != mine)
        ;
    __threadfence();
    sums[0]++;
    __threadfence();
    lock[1] = mine + 1;
    while (lock[1] != mine + 2)
        ;
    // no fence here: the sum may be read before
    sums[1]++; // HAZARD global-race error
    __threadfence();
    lock[1] = mine + 3;
}
