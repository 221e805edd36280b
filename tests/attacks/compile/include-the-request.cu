// warpgrade: saxpy
// aim: read the compiler's own descriptors: the request, the answer's pipe
// defence: no /proc, no /dev/fd; the request is closed once it is read
// needs: plain-build
// landlock: fails
// verdict: compile-error
// says: A submission is one file
#include "/proc/self/fd/0"
#include "/dev/fd/1"
#include "/dev/stdin"
__global__ void saxpy(int n, float alpha, const float *x, float *y) {}
