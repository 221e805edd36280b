// Two streams that meet at events; a priority, a non-blocking stream, a callback on the host.
#include "check.h"

__global__ void fill(int *p, int n, int value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] = value;
}

__global__ void add(const int *a, const int *b, int *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

void CUDART_CB notice(void *data) { ++*(int *)data; }

int main() {
    const int n = 5000, blocks = (n + 255) / 256;
    int *a, *b, *c, *result, calls = 0, least, greatest;
    CHECK(cudaMalloc(&a, n * sizeof(int)));
    CHECK(cudaMalloc(&b, n * sizeof(int)));
    CHECK(cudaMalloc(&c, n * sizeof(int)));
    CHECK(cudaHostAlloc(&result, n * sizeof(int), cudaHostAllocDefault));
    CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    cudaStream_t first, second;
    CHECK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
    CHECK(cudaStreamCreateWithPriority(&second, cudaStreamNonBlocking, greatest));
    cudaEvent_t ready, done;
    CHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    int sum = 0;
    for (int round = 1; round <= 3; round++) {
        fill<<<blocks, 256, 0, first>>>(a, n, round);
        CHECK(cudaEventRecord(ready, first));
        fill<<<blocks, 256, 0, second>>>(b, n, 10 * round);
        CHECK(cudaStreamWaitEvent(second, ready, 0));
        add<<<blocks, 256, 0, second>>>(a, b, c, n);
        CHECK(cudaMemcpyAsync(result, c, n * sizeof(int), cudaMemcpyDeviceToHost, second));
        CHECK(cudaLaunchHostFunc(second, notice, &calls));
        CHECK(cudaEventRecord(done, second));
        CHECK(cudaStreamWaitEvent(first, done, 0));
        CHECK(cudaStreamSynchronize(second));
        sum += result[n - 1];
    }
    CHECK(cudaDeviceSynchronize());
    printf("sum %d, callbacks %d, priorities from %d to %d\n", sum, calls, least, greatest);
    CHECK(cudaEventDestroy(ready));
    CHECK(cudaEventDestroy(done));
    CHECK(cudaStreamDestroy(first));
    CHECK(cudaStreamDestroy(second));
    CHECK(cudaFreeHost(result));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
}
