// sim --grid 1 --block 32 --arg i32*1=zero
// the value decides whether the lane goes on: a flag, whatever else it is used for
__global__ void k(int *out) {
    __shared__ volatile int ticket;
    if (threadIdx.x == 0)
        ticket = 0;
    __syncwarp();
    int mine = 0;
    if (threadIdx.x == 0) {
        ticket = 7;
    } else if (threadIdx.x == 1) {
        while ((mine = ticket) == 0)
            ;
        *out = mine * 2;
    }
}
