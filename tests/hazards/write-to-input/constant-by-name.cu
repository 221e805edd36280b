// sim --grid 1 --block 4 --arg i32*4=iota --arg i32*4=zero
// says write to constant memory, which a kernel may only read
// advises only the host fills constant memory
__constant__ int table[4];
__global__ void k(const int *in, int *out) {
    out[threadIdx.x] = in[threadIdx.x];
    if (in[threadIdx.x] > 1) {
        out[threadIdx.x] = 5;
        table[threadIdx.x] = 1; // HAZARD write-to-input error
    }
}
