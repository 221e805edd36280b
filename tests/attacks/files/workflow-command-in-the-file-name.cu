// warpgrade: saxpy
// aim: forge an annotation in the CI log with a file's name that holds a newline
// defence: reports/escape.c: newlines in names are shown, not printed
// name: x\n::error file=good.cu::forged\n##[error]forged.cu
// verdict: compile-error
__global__ void saxpy(int n, float alpha, const float *x, float *y) { y[0] = undeclared; }
