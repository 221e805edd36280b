// sim --grid 4096 --block 256 --arg u8*1048576=uninit
// says by thread (5, 0, 0) of block (0, 0, 0)
// More to remember than the detector may at once: it follows the memory in slices.
__global__ void k(unsigned char *out) {
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    out[i * 2654435761u & 1048575] = i >> 3;
    if (i == 1000000)
        out[5 * 2654435761u & 1048575] = 9; // HAZARD global-race error
    if (i == 1000001)
        out[6 * 2654435761u & 1048575] = 9; // HAZARD global-race error
    if (i == 1000002)
        out[7 * 2654435761u & 1048575] = 9; // HAZARD global-race error
}
