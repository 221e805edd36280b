// sim --grid 3 --block 32 --arg i32*3=zero
// says No thread of the grid is left
// each block waits for the next one's flag before it sets its own
__global__ void k(volatile int *flag) {
    if (threadIdx.x)
        return;
    while (flag[(blockIdx.x + 1) % gridDim.x] == 0) // HAZARD deadlock error
        ;
    flag[blockIdx.x] = 1;
}
