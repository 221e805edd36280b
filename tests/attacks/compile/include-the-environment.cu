// warpgrade: saxpy
// aim: read the grader's environment, with its secrets, through /proc
// defence: an empty environment, and no /proc in the compiler's file system
// needs: plain-build
// landlock: fails
// verdict: compile-error
// says: A submission is one file
#include "/proc/self/environ"
#include "/proc/1/environ"
__global__ void saxpy(int n, float alpha, const float *x, float *y) {}
