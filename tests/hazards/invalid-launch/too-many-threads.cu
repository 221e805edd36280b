// sim --grid 1 --block 1025 --arg i32*4=zero
// advises the page
// expect invalid-launch error
__global__ void k(int *a) {}
