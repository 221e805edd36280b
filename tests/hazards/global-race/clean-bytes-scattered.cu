// sim --grid 4096 --block 256 --arg u8*1048576=uninit
__global__ void k(unsigned char *out) {
    unsigned i = blockIdx.x * 256 + threadIdx.x;
    out[i * 2654435761u & 1048575] = i >> 3;
}
__global__ void check(unsigned char *out) {
    for (unsigned i = 0; i < 1048576; i += 1001)
        if (out[i * 2654435761u & 1048575] != (unsigned char)(i >> 3))
            __trap();
}
