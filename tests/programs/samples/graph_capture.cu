// Work of two streams is captured into a graph, which is launched many times.
#include "check.h"

__global__ void increment(int *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i]++;
}

__global__ void sum_up(const int *x, const int *y, int *sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(sum, x[i] + y[i]);
}

int main() {
    const int n = 1000, blocks = (n + 255) / 256;
    int *x, *y, *d_sum, *sum;
    CHECK(cudaMalloc(&x, n * sizeof(int)));
    CHECK(cudaMalloc(&y, n * sizeof(int)));
    CHECK(cudaMalloc(&d_sum, sizeof(int)));
    CHECK(cudaMallocHost(&sum, sizeof(int)));
    CHECK(cudaMemset(x, 0, n * sizeof(int)));
    CHECK(cudaMemset(y, 0, n * sizeof(int)));
    cudaStream_t stream, side;
    cudaEvent_t fork, join;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamCreate(&side));
    CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaMemsetAsync(d_sum, 0, sizeof(int), stream));
    CHECK(cudaEventRecord(fork, stream));
    CHECK(cudaStreamWaitEvent(side, fork, 0));
    increment<<<blocks, 256, 0, stream>>>(x, n);
    increment<<<blocks, 256, 0, side>>>(y, n);
    CHECK(cudaEventRecord(join, side));
    CHECK(cudaStreamWaitEvent(stream, join, 0));
    sum_up<<<blocks, 256, 0, stream>>>(x, y, d_sum, n);
    CHECK(cudaMemcpyAsync(sum, d_sum, sizeof(int), cudaMemcpyDeviceToHost, stream));
    cudaStreamCaptureStatus status;
    CHECK(cudaStreamIsCapturing(stream, &status));
    printf("capturing: %d\n", status == cudaStreamCaptureStatusActive);
    CHECK(cudaStreamEndCapture(stream, &graph));
    size_t nodes = 0;
    CHECK(cudaGraphGetNodes(graph, NULL, &nodes));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    printf("%zu nodes\n", nodes);
    for (int i = 0; i < 5; i++) {
        CHECK(cudaGraphLaunch(exec, stream));
        CHECK(cudaStreamSynchronize(stream));
        printf("sum %d\n", *sum);
    }
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaEventDestroy(fork));
    CHECK(cudaEventDestroy(join));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaStreamDestroy(side));
    CHECK(cudaFreeHost(sum));
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    CHECK(cudaFree(d_sum));
}
