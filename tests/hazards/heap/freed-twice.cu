// sim --grid 1 --block 32 --arg i32*32=uninit
// advises Call `free()` once
__global__ void k(int *out) {
    int t = threadIdx.x;
    int *p = (int *)malloc(16 * sizeof(int));
    p[0] = t;
    out[t] = p[0];
    free(p);
    free(p); // HAZARD out-of-bounds error
}
// says that has been freed before (line 8)
