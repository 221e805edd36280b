// warpgrade: saxpy
// aim: have a compiler that root started read /etc/shadow
// defence: the compiler runs as nobody's user, and the file is not there
// verdict: compile-error
// says: A submission is one file
#include "/etc/shadow"
__global__ void saxpy(int n, float alpha, const float *x, float *y) {}
