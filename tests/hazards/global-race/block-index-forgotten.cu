// sim --grid 4 --block 64 --arg i32*256=iota --arg i32*256=zero
// advises `blockIdx` where several blocks write
// advises never atomic
__global__ void k(const int *x, int *y) {
    y[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x] * 2; // HAZARD global-race error
}
