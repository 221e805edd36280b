// warpgrade: saxpy
// aim: run a formula when the instructor opens the gradebook
// defence: reports/escape.c: such a CSV field starts with an apostrophe
// name: =HYPERLINK("http:evil","x").cu
// verdict: compile-error
__global__ void saxpy(int n, float alpha, const float *x, float *y) { y[0] = undeclared; }
