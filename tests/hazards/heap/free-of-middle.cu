// sim --grid 1 --block 32 --arg i32*32=uninit
// advises the pointer that `malloc()` returned
__global__ void k(int *out) {
    int t = threadIdx.x;
    int *p = (int *)malloc(16 * sizeof(int));
    p[0] = t;
    out[t] = p[0];
    free(p + 1); // HAZARD out-of-bounds error
}
// says into the middle
