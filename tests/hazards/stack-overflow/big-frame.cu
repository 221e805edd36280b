// sim --grid 1 --block 1 --arg i32*1=const:5 --arg i32*64=uninit
__device__ __noinline__ int f(int n) { int a[512]; for (int i = 0; i < 512; i++) a[i] = n + i; return n < -5 ? 0 : f(n + (a[n & 511] & 1) + 1) % 13 + a[3]; }
__global__ void k(int *n, int *b) {
    b[threadIdx.x] = f(*n);
}
// expect stack-overflow error
