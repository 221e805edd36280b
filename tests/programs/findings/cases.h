/* What the cases share: kernels, and `main()`, which runs the case whose number it is given. */
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

constexpr int N = 64;
constexpr size_t BYTES = N * sizeof(int);

__global__ void fill(int *x, int value) {
    x[threadIdx.x] = value;
}

__global__ void twice(int *x) {
    x[threadIdx.x] *= 2;
}

__global__ void copy_of(int *to, const int *from) {
    to[threadIdx.x] = from[threadIdx.x];
}

__global__ void unless_negative(int *x, int n) {
    if (n >= 0)
        x[threadIdx.x] = n;
}

inline int *device_ints(int value = 1) {
    int *x;
    if (cudaMalloc(&x, BYTES) != cudaSuccess)
        exit(3);
    fill<<<1, N>>>(x, value);
    return x;
}

/* Ends the program where a call has failed that should not have. */
inline void must(cudaError_t error) {
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorName(error));
        exit(4);
    }
}

/* A call whose error the case expects, and looks at. */
inline void fails(cudaError_t error) {
    if (error == cudaSuccess)
        puts("did not fail");
    else
        cudaGetLastError();
}

struct Case {
    int number;
    void (*run)();
};

template <size_t COUNT> int run_case(int argc, char **argv, const Case (&cases)[COUNT]) {
    int number = argc > 1 ? atoi(argv[1]) : 0;
    for (const Case &each : cases)
        if (each.number == number) {
            each.run();
            return 0;
        }
    return 2;
}
