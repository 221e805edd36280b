// sim --grid 2 --block 64 --arg i32*1=zero --arg i32*128=uninit
// says an atomic access
__global__ void k(int *count, int *b) {
    atomicAdd(count, 1);
    b[blockIdx.x * 64 + threadIdx.x] = *count; // HAZARD global-race error
}
// maybe global-race
