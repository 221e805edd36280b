// warpgrade: saxpy
// aim: clear the instructor's screen with a file's name
// defence: reports/escape.c: whatever is printed
// name: \x1b[2J\x1b]0;pwned\x07.cu
// verdict: compile-error
__global__ void saxpy(int n, float alpha, const float *x, float *y) { y[0] = undeclared; }
