// warpgrade: saxpy
// aim: include the grader's program around the submission, which includes the submission again
// defence: the front end's depth of includes
// landlock: fails
// verdict: compile-error
#include "warpgrade-program.cu"
__global__ void saxpy(int n, float alpha, const float *x, float *y) {}
