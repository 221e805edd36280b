// sim --grid 1 --block 1 --arg i32*1=const:2 --arg i32*64=uninit
__device__ __noinline__ int f(int m, int n) { return m == 0 ? n + 1 : n == 0 ? f(m - 1, 1) : f(m - 1, f(m, n - 1)); } __device__ int f(int n) { return f(n, 2); }
__global__ void k(int *n, int *b) {
    b[threadIdx.x] = f(*n);
}

