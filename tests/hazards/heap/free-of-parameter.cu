// sim --grid 1 --block 32 --arg i32*32=uninit
// advises the pointer that `malloc()` returned
__global__ void k(int *out) {
    int t = threadIdx.x;
    int *p = (int *)malloc(16 * sizeof(int));
    p[0] = t;
    out[t] = p[0];
    if (t == 0)
        free(out); // HAZARD out-of-bounds error
}
// says which malloc did not return
