// sim --grid 1 --block 64 --arg i32*64=uninit
typedef int (*operation)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int mul(int a, int b) { return a * b; }
__device__ int sub(int a, int b) { return a - b; }
__device__ operation table[3] = {add, mul, sub};
__global__ void k(int *b) {
    b[threadIdx.x] = table[threadIdx.x % 3](threadIdx.x, 7);
}
__global__ void check(int *b) {
    for (int i = 0; i < 64; i++)
        if (b[i] != (i % 3 == 0 ? i + 7 : i % 3 == 1 ? i * 7 : i - 7))
            __trap();
}
