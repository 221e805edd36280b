// sim --grid 0 --block 32 --arg i32*4=zero
// advises Compute the grid
// expect invalid-launch error
__global__ void k(int *a) {}
