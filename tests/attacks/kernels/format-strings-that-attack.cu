// warpgrade: saxpy
// aim: have the grader's own printf read or write memory, or never end, by a format
// defence: the format is interpreted by the simulated GPU, on the device's memory, with bounds
// verdict: wrong-answer
#include <cstdio>
__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    printf("%n%n%n%n%s%s%s\n", 1, 2, 3, (char *)0, (char *)8, (char *)0x7ffff7dd0000);
    printf("%999999999d %.999999999f %*d %-*.*s\n", 1, 1.0, 2147483647, 1, -2147483647, 1, "x");
    printf("%hhhhhhhhhhd %ll %");
    printf("%1$s %2$n %lc %ls %a %p\n", "x", n, L'x', L"x", 1.0, x);
}
