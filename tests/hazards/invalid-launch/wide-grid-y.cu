// sim --grid 1,65536 --block 1 --arg i32*1=zero
// advises Compute the grid
// expect invalid-launch error
__global__ void k(int *a) {
    a[0] = 1;
}
