// sim --grid 1 --block 1 --arg i32*1=const:-1 --arg i32*64=uninit
__device__ __noinline__ int f(int n) { return n == 0 ? 0 : f(n - 1) % 1000 ^ n * 5; }
__global__ void k(int *n, int *b) {
    b[threadIdx.x] = f(*n);
}
// expect stack-overflow error
