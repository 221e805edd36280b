// sim --grid 1 --block 64 --arg i32*1=uninit
// advises Give each element one writer
// says winner
// says a write
__global__ void k(int *b) {
    __shared__ int winner;
    winner = threadIdx.x; // HAZARD shared-race error
    __syncthreads();
    if (threadIdx.x == 0)
        *b = winner;
}
