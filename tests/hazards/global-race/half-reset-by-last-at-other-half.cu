// sim --grid 4 --block 32 --arg u16*2=zero --arg i32*1=zero
// both builds
// What the last one has read is the other half of the word.
__global__ void k(unsigned short *half, int *found) {
    unsigned short mine = blockIdx.x;
    if (threadIdx.x)
        return;
    if (atomicCAS(half + 1, (unsigned short)0, (unsigned short)(mine + 1)) == 77)
        *found = 1;
    if (atomicCAS(half, mine, (unsigned short)(mine + 1)) == 3)
        half[1] = 0; // HAZARD global-race error
}
