// warpgrade: saxpy
// aim: drown the report in errors
// defence: diagnostics are parsed and kept up to a cap
// verdict: compile-error
#define A(x) x x x x x x x x x x
#define FLOOD A(A(A(undefined_name + )))
__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    n = FLOOD 1;
    n = A(A(another_name;))
}
