// warpgrade: saxpy
// aim: hide warpgrade's own code after the submission in a conditional that is never closed
// defence: conditionals end with their file
// verdict: compile-error
__global__ void saxpy(int n, float alpha, const float *x, float *y) {
}
#if 0
