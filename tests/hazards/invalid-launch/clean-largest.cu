// sim --grid 2 --block 16,16,4 --arg i32*4=zero
__global__ void k(int *a) {}
