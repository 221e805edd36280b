// warpgrade: saxpy
// aim: exhaust the compiler with a file that includes itself
// defence: the front end's own depth, else time and memory
// verdict: compile-error
#include __FILE__
#include "include-itself-without-end.cu"
__global__ void saxpy(int n, float alpha, const float *x, float *y) {}
