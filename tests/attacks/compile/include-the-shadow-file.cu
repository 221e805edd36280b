// warpgrade: saxpy
// aim: have a compiler that root started read /etc/shadow
// defence: the compiler runs as a user of its own, and the file is not there
// landlock: fails
// verdict: compile-error
// says: A submission is one file
#include "/etc/shadow"
__global__ void saxpy(int n, float alpha, const float *x, float *y) {}
