// warpgrade: saxpy
// aim: drown the report in what the kernel prints
// defence: 64 KiB of printed text are kept; the budget of instructions ends the kernel
// verdict: time-limit
#include <cstdio>
__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    for (long i = 0;; i++)
        printf("%ld: the work of many lines is here, and there is no end of them\n", i);
}
