// warpgrade: saxpy
// aim: have the report of a hazard quote another file's lines, with the debug information's names
// defence: lines are quoted from the submission's own text only
// verdict: hazard
// says: out-of-bounds
// never: > 1 |
__global__ void saxpy(int n, float alpha, const float *x, float *y) {
#line 1 "/etc/passwd"
    y[threadIdx.x + 100000] = 1;
#line 2 "@OTHER@/saxpy.cu"
    y[threadIdx.x + 200000] = 2;
#line 999999999 "/etc/shadow"
    y[threadIdx.x + 300000] = 3;
}
