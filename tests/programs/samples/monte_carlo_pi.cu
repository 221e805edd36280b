// Points in a quarter circle, a generator of its own for each thread (xorshift).
#include "check.h"

__device__ unsigned next(unsigned &state) {
    state ^= state << 13;
    state ^= state >> 17;
    return state ^= state << 5;
}

__global__ void throw_points(unsigned long long *inside, int each, unsigned seed) {
    unsigned state = (blockIdx.x * blockDim.x + threadIdx.x + 1) * 2654435769u ^ seed;
    unsigned count = 0;
    for (int i = 0; i < each; i++) {
        float x = (next(state) >> 8) * (1.0f / 16777216.0f), y = (next(state) >> 8) * (1.0f / 16777216.0f);
        count += x * x + y * y <= 1.0f;
    }
    count = __reduce_add_sync(0xffffffff, count);
    if (threadIdx.x % 32 == 0)
        atomicAdd(inside, (unsigned long long)count);
}

int main(int argc, char **argv) {
    int each = argc > 1 ? atoi(argv[1]) : 100;
    unsigned long long *d_inside, inside = 0;
    CHECK(cudaMalloc(&d_inside, sizeof(inside)));
    CHECK(cudaMemset(d_inside, 0, sizeof(inside)));
    throw_points<<<32, 128>>>(d_inside, each, 42);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&inside, d_inside, sizeof(inside), cudaMemcpyDeviceToHost));
    unsigned long long all = 32ull * 128 * each;
    double pi = 4.0 * inside / all;
    printf("%llu of %llu points are inside: pi is about %.4f (%s)\n", inside, all, pi,
           pi > 3.13 && pi < 3.15 ? "good" : "BAD");
    CHECK(cudaFree(d_inside));
    return 0;
}
