// sim --grid 1 --block 256 --arg i32*4=zero
// advises `__launch_bounds__` says
// expect invalid-launch error
__global__ void __launch_bounds__(128) k(int *a) {}
