// sim --grid 1 --block 32 --arg i32*1=const:100000 --arg i32*64=uninit
__device__ __noinline__ int f(int n) { return n <= 0 ? 1 : n * 3 + f(n - 1) % 7; }
__global__ void k(int *n, int *b) {
    b[threadIdx.x] = f(*n);
}
// expect stack-overflow error
