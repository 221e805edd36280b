/* What the sample programs share: a call that fails ends the program and says where. */
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t check_error = (call);                                                          \
        if (check_error != cudaSuccess) {                                                          \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(check_error));   \
            exit(EXIT_FAILURE);                                                                    \
        }                                                                                          \
    } while (0)

/* Numbers that look random and are the same everywhere: the generator of Numerical Recipes. */
struct Random {
    unsigned state;
    explicit Random(unsigned seed) : state(seed) {
    }
    unsigned next() {
        return state = state * 1664525u + 1013904223u;
    }
    unsigned below(unsigned n) {
        return (next() >> 8) % n;
    }
    float uniform() {
        return (next() >> 8) / 16777216.0f;
    }
};

/* A checksum of bytes (FNV-1a), for results too large to print. */
inline unsigned long long checksum(const void *data, size_t bytes) {
    unsigned long long hash = 1469598103934665603ull;
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ ((const unsigned char *)data)[i]) * 1099511628211ull;
    return hash;
}
