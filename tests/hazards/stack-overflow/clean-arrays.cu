// sim --grid 1 --block 32 --arg i32*1=const:5 --arg i32*64=uninit
__device__ __noinline__ int f(int n) { int a[16]; for (int i = 0; i < 16; i++) a[i] = n * i; return n == 0 ? 0 : f(n - 1) + a[n & 15]; }
__global__ void k(int *n, int *b) {
    b[threadIdx.x] = f(*n);
}

