// sim --grid 2 --block 32 --arg i32*2=zero --arg i32*2=zero
// two blocks take two locks in opposite order
__global__ void k(int *lock, volatile int *taken) {
    if (threadIdx.x)
        return;
    int first = blockIdx.x, second = 1 - first;
    while (atomicCAS(&lock[first], 0, 1) != 0)
        ;
    taken[first] = 1;
    while (!taken[second])
        ;
    while (atomicCAS(&lock[second], 0, 1) != 0) // HAZARD deadlock error
        ;
    atomicExch(&lock[second], 0);
    atomicExch(&lock[first], 0);
}
