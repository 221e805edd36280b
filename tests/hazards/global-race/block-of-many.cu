// Two threads of one block of several: the message says which block.
// sim --grid 4 --block 64 --arg i32*256=zero --arg i32*256=zero
// says thread (31, 0, 0) of the same block (0, 0, 0)
// advises `__syncthreads()` between one
__global__ void k(int *a, int *b)
{
    int first = blockIdx.x * blockDim.x, i = threadIdx.x;
    a[first + i] = i;                // HAZARD global-race any
    b[first + i] = a[first + 63 - i]; // HAZARD global-race any
}
