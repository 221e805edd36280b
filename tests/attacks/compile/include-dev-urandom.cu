// warpgrade: saxpy
// aim: have the compiler read noise without end
// defence: the compiler's file system has no devices, and nvcc is not asked for absolute paths
// verdict: compile-error
// says: A submission is one file
// within: 3
#include "/dev/urandom"
__global__ void saxpy(int n, float alpha, const float *x, float *y) {}
