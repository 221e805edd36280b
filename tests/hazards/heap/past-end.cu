// sim --grid 1 --block 32 --arg i32*32=uninit
__global__ void k(int *out) {
    int t = threadIdx.x;
    int *p = (int *)malloc(16 * sizeof(int));
    for (int i = 0; i <= 16; i++)
        p[i] = t; // HAZARD out-of-bounds error
    out[t] = p[3];
}
// says byte 64 of memory from malloc (line 4), outside its 64 bytes
