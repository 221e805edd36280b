// warpgrade: saxpy
// aim: make the JSON report invalid with bytes that are no UTF-8
// defence: reports/escape.c: they become U+FFFD
// name: \xff\xc0\xaf\xed\xa0\x80\xf8.cu
// verdict: compile-error
__global__ void saxpy(int n, float alpha, const float *x, float *y) { y[0] = undeclared; }
