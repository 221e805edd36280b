// warpgrade: saxpy
// aim: have the compiler read /etc/passwd and quote it in its errors
// defence: the compiler's file system holds the CUDA headers and nothing of the host
// landlock: fails
// verdict: compile-error
// says: A submission is one file
#include "/etc/passwd"
__global__ void saxpy(int n, float alpha, const float *x, float *y) {}
