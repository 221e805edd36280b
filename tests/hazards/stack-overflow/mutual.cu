// sim --grid 1 --block 1 --arg i32*1=const:20 --arg i32*64=uninit
__device__ __noinline__ int g(int n); __device__ __noinline__ int f(int n) { return g(n + 1) * 3 + n; } __device__ __noinline__ int g(int n) { return n == 0 ? 1 : f(n) ^ n; }
__global__ void k(int *n, int *b) {
    b[threadIdx.x] = f(*n);
}
// expect stack-overflow error
