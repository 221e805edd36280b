// A graph built node by node: set, kernel, kernel, copy, host function; its parameters changed later.
#include "check.h"

#include <vector>

__global__ void scale(float *x, float by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = (x[i] + 1) * by;
}

void CUDART_CB report(void *data) { printf("host node: %g\n", *(float *)data); }

int main() {
    int n = 600;
    float *x, by = 3, *result;
    CHECK(cudaMalloc(&x, n * sizeof(float)));
    CHECK(cudaMallocHost(&result, n * sizeof(float)));
    cudaGraph_t graph;
    cudaGraphNode_t clear, first, second, copy, host;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaMemsetParams set = {};
    set.dst = x;
    set.elementSize = 1;
    set.width = n * sizeof(float);
    set.height = 1;
    CHECK(cudaGraphAddMemsetNode(&clear, graph, NULL, 0, &set));
    void *args[] = {&x, &by, &n};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)scale;
    kernel.gridDim = dim3((n + 127) / 128);
    kernel.blockDim = dim3(128);
    kernel.kernelParams = args;
    CHECK(cudaGraphAddKernelNode(&first, graph, &clear, 1, &kernel));
    CHECK(cudaGraphAddKernelNode(&second, graph, NULL, 0, &kernel));
    CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &second, 1, result, x, n * sizeof(float), cudaMemcpyDeviceToHost));
    cudaHostNodeParams function = {};
    function.fn = report;
    function.userData = result + n - 1;
    CHECK(cudaGraphAddHostNode(&host, graph, &copy, 1, &function));
    CHECK(cudaGraphAddDependencies(graph, &first, &second, NULL, 1));
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiateWithFlags(&exec, graph, 0));
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    by = 10;
    CHECK(cudaGraphExecKernelNodeSetParams(exec, second, &kernel));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    printf("result %g\n", result[0]);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(x));
    CHECK(cudaFreeHost(result));
}
