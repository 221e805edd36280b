// warpgrade: saxpy
// aim: have the compiler read noise without end
// defence: a device is no source file; time, memory and diagnostics are capped
// once: yes
// within: 14
// verdict: compile-error
#include "/dev/urandom"
__global__ void saxpy(int n, float alpha, const float *x, float *y) {}
