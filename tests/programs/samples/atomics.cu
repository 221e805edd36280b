// Every atomic operation on int, one of the program's own by compare and swap, and a lock.
#include "check.h"

__global__ void operations(int *g) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&g[0], 10);
    atomicSub(&g[1], 10);
    atomicExch(&g[2], 77);
    atomicMax(&g[3], t);
    atomicMin(&g[4], t);
    atomicInc((unsigned *)&g[5], 17);
    atomicDec((unsigned *)&g[6], 137);
    atomicCAS(&g[7], t - 1, t);
    atomicAnd(&g[8], 2 * t + 7);
    atomicOr(&g[9], 1 << (t % 32));
    atomicXor(&g[10], t);
}

__device__ double atomic_multiply(double *p, double by) {
    unsigned long long *bits = (unsigned long long *)p, old = *bits, seen;
    do {
        seen = old;
        old = atomicCAS(bits, seen, __double_as_longlong(by * __longlong_as_double(seen)));
    } while (seen != old);
    return __longlong_as_double(old);
}

__global__ void product(double *p) { atomic_multiply(p, threadIdx.x % 2 ? 2.0 : 0.5); }

__device__ int lock = 0;
__device__ volatile int guarded = 0;

__global__ void with_lock() {
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(&lock, 0, 1) != 0)
            ;
        __threadfence();
        guarded = guarded + 1;
        __threadfence();
        atomicExch(&lock, 0);
    }
}

int main() {
    int h[11] = {0, 0, 0, 0, 1 << 30, 0, 0, -1, 0xff, 0, 0xff}, *d, count = 0;
    double *d_product, value = 3;
    CHECK(cudaMalloc(&d, sizeof h));
    CHECK(cudaMalloc(&d_product, sizeof(double)));
    CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_product, &value, sizeof value, cudaMemcpyHostToDevice));
    operations<<<16, 64>>>(d);
    product<<<4, 32>>>(d_product);
    with_lock<<<8, 64>>>();
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&value, d_product, sizeof value, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpyFromSymbol(&count, guarded, sizeof count));
    for (int i = 0; i < 11; i++)
        if (i != 7)
            printf("%d ", h[i]);
    printf("\nproduct %g, guarded %d\n", value, count);
    CHECK(cudaFree(d));
    CHECK(cudaFree(d_product));
}
