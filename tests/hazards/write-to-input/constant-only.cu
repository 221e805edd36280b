// sim --grid 1 --block 4 --arg i32*4=iota
// advises only the host fills constant memory
__constant__ int table[4];
__global__ void k(const int *in) {
    table[threadIdx.x] = in[threadIdx.x]; // HAZARD write-to-input error
}
