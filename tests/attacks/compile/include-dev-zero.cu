// warpgrade: saxpy
// aim: have the compiler read a file that never ends
// defence: the compiler's /dev has no zero to include, or its memory and time are limited
// once: yes
// verdict: compile-error
#include "/dev/zero"
__global__ void saxpy(int n, float alpha, const float *x, float *y) {}
