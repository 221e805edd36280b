// sim --grid 0 --block 32 --arg i32*4=zero
// expect invalid-launch error
__global__ void k(int *a) {}
