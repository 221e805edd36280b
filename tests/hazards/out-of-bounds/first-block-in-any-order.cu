// sim --grid 8 --block 32 --seed 3 --arg 'f32*256=iota'
// says of block (0, 0, 0)
// On one host thread blocks start in the order of the seed, on several in their own: the example is
// that of the first block in grid order, whichever ran first.
__global__ void k(float *a) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i + 256] = 1; // HAZARD out-of-bounds error
}
