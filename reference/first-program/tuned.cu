// The program step by step. CHECK wraps every call of the runtime: the place that failed is the one
// that is named, and not a later one that only stumbles over it.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error = (call);                                                                \
        if (error != cudaSuccess) {                                                                \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));         \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

__global__ void saxpy(float a, const float *x, const float *y, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a * x[i] + y[i];
}

static void read(float *to, int n)
{
    for (int i = 0; i < n; i++)
        if (scanf("%f", &to[i]) != 1) {
            fprintf(stderr, "the input ends too early\n");
            exit(2);
        }
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: %s n a\n", argv[0]);
        return 2;
    }
    int n = atoi(argv[1]);
    float a = (float)atof(argv[2]);
    size_t bytes = n * sizeof(float); // copies count bytes, not elements
    float *x = (float *)malloc(bytes), *y = (float *)malloc(bytes), *out = (float *)malloc(bytes);
    read(x, n);
    read(y, n);

    float *on_device_x, *on_device_y, *on_device_out;
    CHECK(cudaMalloc(&on_device_x, bytes));
    CHECK(cudaMalloc(&on_device_y, bytes));
    CHECK(cudaMalloc(&on_device_out, bytes));
    CHECK(cudaMemcpy(on_device_x, x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(on_device_y, y, bytes, cudaMemcpyHostToDevice));

    int block = 256, grid = (n + block - 1) / block; // rounded up: the last block may be half empty
    saxpy<<<grid, block>>>(a, on_device_x, on_device_y, on_device_out, n);
    CHECK(cudaGetLastError()); // a launch returns nothing: this is how it says what was wrong

    // This copy waits for the kernel: both are in the default stream.
    CHECK(cudaMemcpy(out, on_device_out, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        printf("%.9g\n", out[i]); // 9 digits give every float back

    CHECK(cudaFree(on_device_x));
    CHECK(cudaFree(on_device_y));
    CHECK(cudaFree(on_device_out));
    free(x);
    free(y);
    free(out);
    return 0;
}
