// sim --grid 1 --block 1,1,65 --arg i32*4=zero
// expect invalid-launch error
__global__ void k(int *a) {}
