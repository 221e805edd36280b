// warpgrade: saxpy
// aim: exhaust the compiler with a macro that grows to 10^9 tokens
// defence: the compiler's memory
// verdict: compile-error
// once: yes
// says: more than 2048 MiB of memory|does not compile within
// within: 14
#define A(x) x x x x x x x x x x
#define B(x) A(A(A(x)))
__device__ int boom[] = {B(B(B(1)))};
__global__ void saxpy(int n, float alpha, const float *x, float *y) {}
