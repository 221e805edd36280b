// sim --grid 1 --block 32 --arg i32*32=uninit
// advises Call `free()` once
__global__ void k(int *out) {
    int t = threadIdx.x;
    int *p = (int *)malloc(16 * sizeof(int));
    p[0] = t;
    free(p);
    out[t] = p[0]; // HAZARD out-of-bounds error
}
// says which has been freed (line 7)
