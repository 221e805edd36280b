// warpgrade: saxpy
// aim: have the report quote /etc/passwd, by .file and .loc written by hand
// defence: the assembler's line table names files, but only the submission's own text is quoted
// landlock: fails
// verdict: hazard
// says: out-of-bounds
__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    asm volatile(".loc 1 1 1;");
    y[threadIdx.x + 100000] = 1;
    asm volatile(".loc 1 4294967295 99999999;");
    y[threadIdx.x + 200000] = 2;
}
