// warpgrade: saxpy
// aim: have a compiler take the file's name for an option
// defence: names that begin with - are changed before a compiler sees them
// name: --dump-everything=@etc.cu
// verdict: compile-error
__global__ void saxpy(int n, float alpha, const float *x, float *y) { y[0] = undeclared; }
