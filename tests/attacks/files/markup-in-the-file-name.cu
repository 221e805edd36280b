// warpgrade: saxpy
// aim: break the JUnit file, or run a script in the HTML report
// defence: reports/escape.c and libxml2's writer
// name: ]]><script>alert(1)<!--&amp;.cu
// verdict: compile-error
__global__ void saxpy(int n, float alpha, const float *x, float *y) { y[0] = undeclared; }
