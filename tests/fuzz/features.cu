#include <assert.h>
#include <cooperative_groups.h>
#include <cuda_fp16.h>
struct Base { __device__ virtual int f(int x) { return x + 1; } };
struct Derived : Base { __device__ int f(int x) override { return x * 2; } };
__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ int table[4] = {1, 2, 3, 4};
__constant__ float weights[8] = {1, 2, 3};
__device__ int *pointer = &table[2];
extern __shared__ int dynamic[];
__global__ void features(int *data, float *x, __half *h, int n)
{
    int i = threadIdx.x, local[8];
    for (int j = 0; j < 8; j++)
        local[j] = i * j;
    dynamic[i & 31] = local[n & 7];
    __syncthreads();
    unsigned mask = __ballot_sync(0xffffffffu, i & 1);
    int v = __shfl_xor_sync(0xffffffffu, i, 3) + __popc(mask);
    switch (n & 7) { case 0: v++; break; case 1: v *= 3; break; case 2: v = fib(4); break; case 3: v ^= 5; break;
                     case 4: v -= 2; break; case 5: v = __brev(v); break; default: v = 0; }
    atomicCAS(&data[0], 0, v);
    atomicAdd(x, weights[n & 7]);
    atomicMax(&data[1], *pointer);
    __threadfence();
    h[i] = __hadd(h[i], __float2half(x[i & 7]));
    if (i == 0)
        printf("%d %f %s\n", v, x[0], "end");
    x[i & 15] = sqrtf(x[i & 15]) + __expf(x[1]) + (float)(x[2] > 0 ? sin((double)x[3]) : 0);
}
__global__ void objects(int *data, int n)
{
    Derived d; Base b;
    Base *p = n & 1 ? (Base *)&d : &b;
    data[threadIdx.x] = p->f(n);
    assert(n > 3);
    if (n == 77) __trap();
}
