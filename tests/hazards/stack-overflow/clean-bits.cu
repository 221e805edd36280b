// sim --grid 1 --block 32 --arg i32*1=const:8 --arg i32*64=uninit
__device__ __noinline__ int f(int n) { return n == 0 ? 0 : f(n / 2) * 2 + (n & 1); }
__global__ void k(int *n, int *b) {
    b[threadIdx.x] = f(*n);
}

