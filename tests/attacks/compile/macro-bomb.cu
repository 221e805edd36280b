// warpgrade: saxpy
// aim: exhaust the compiler with a macro that grows to 10^9 tokens
// defence: the compiler's memory
// verdict: compile-error
// once: yes
// says: more than 2048 MiB of memory|does not compile within
// within: 14
// A long token: what is proved is the end by memory, and that takes fewer of them.
#define A(x) x x x x x x x x x x
#define B(x) A(A(A(x)))
#define LONG \
    zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz
__device__ int boom[] = {B(B(B(LONG)))};
__global__ void saxpy(int n, float alpha, const float *x, float *y) {}
