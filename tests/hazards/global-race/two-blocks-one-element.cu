// sim --grid 4 --block 32 --arg i32*32=zero
// advises Give each element one writer
// says arg0[
// says of block (
// says blocks run in any order
__global__ void k(int *b) {
    b[threadIdx.x] = blockIdx.x; // HAZARD global-race error
}
