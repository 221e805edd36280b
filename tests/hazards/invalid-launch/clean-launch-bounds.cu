// sim --grid 1 --block 128 --arg i32*4=zero
__global__ void __launch_bounds__(128) k(int *a) {}
