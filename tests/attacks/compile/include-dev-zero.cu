// warpgrade: saxpy
// aim: have the compiler read a file that never ends
// defence: the compiler's file system has no devices, and nvcc is not asked for absolute paths
// landlock: fails
// verdict: compile-error
// says: A submission is one file
// within: 3
#include "/dev/zero"
__global__ void saxpy(int n, float alpha, const float *x, float *y) {}
