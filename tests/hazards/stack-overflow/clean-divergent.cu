// sim --grid 1 --block 64 --arg i32*1=const:3 --arg i32*64=uninit
__device__ __noinline__ int f(int n) { int x = threadIdx.x + n; return n == 0 ? x : (threadIdx.x & 1 ? f(n - 1) + x : f(n - 1) * x); }
__global__ void k(int *n, int *b) {
    b[threadIdx.x] = f(*n);
}

