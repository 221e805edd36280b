// Graphs that decide on the device what comes next: a loop, a choice of two and one of several.
#include "check.h"

__global__ void halve(int *x, int *steps, cudaGraphConditionalHandle more) {
    if (threadIdx.x == 0) {
        *x = *x % 2 ? 3 * *x + 1 : *x / 2;
        ++*steps;
        cudaGraphSetConditional(more, *x != 1);
    }
}

__global__ void cudaGraphSetConditional_by(const int *x, cudaGraphConditionalHandle which, int modulus) {
    if (threadIdx.x == 0)
        cudaGraphSetConditional(which, *x % modulus);
}

__global__ void add(int *x, int n) {
    if (threadIdx.x == 0)
        *x += n;
}

static int *x, *steps;

static cudaGraphNode_t add_kernel(cudaGraph_t graph, const cudaGraphNode_t *before, void *kernel, void **arguments) {
    cudaGraphNode_t node;
    cudaKernelNodeParams params = {};
    params.func = kernel;
    params.gridDim = 1;
    params.blockDim = 32;
    params.kernelParams = arguments;
    CHECK(cudaGraphAddKernelNode(&node, graph, before, before ? 1 : 0, &params));
    return node;
}

static cudaGraphNodeParams add_condition(cudaGraph_t graph, const cudaGraphNode_t *before, cudaGraphConditionalHandle handle,
                                         cudaGraphConditionalNodeType type, unsigned size) {
    cudaGraphNode_t node;
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = type;
    params.conditional.size = size;
    CHECK(cudaGraphAddNode(&node, graph, before, nullptr, before ? 1 : 0, &params));
    return params;
}

static void run(const char *what, cudaGraph_t graph, int first) {
    cudaGraphExec_t exec;
    int back[2] = {first, 0};
    CHECK(cudaMemcpy(x, &back[0], sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(steps, 0, sizeof(int)));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(&back[0], x, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&back[1], steps, sizeof(int), cudaMemcpyDeviceToHost));
    printf("%s from %d: %d after %d steps\n", what, first, back[0], back[1]);
    CHECK(cudaGraphExecDestroy(exec));
}

int main() {
    CHECK(cudaMalloc(&x, sizeof(int)));
    CHECK(cudaMalloc(&steps, sizeof(int)));

    cudaGraph_t loop;
    cudaGraphConditionalHandle more;
    CHECK(cudaGraphCreate(&loop, 0));
    CHECK(cudaGraphConditionalHandleCreate(&more, loop, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams params = add_condition(loop, nullptr, more, cudaGraphCondTypeWhile, 1);
    void *arguments[] = {&x, &steps, &more};
    add_kernel(params.conditional.phGraph_out[0], nullptr, (void *)halve, arguments);
    run("a loop", loop, 27);
    run("a loop", loop, 1024);
    CHECK(cudaGraphDestroy(loop));

    cudaGraph_t branch;
    cudaGraphConditionalHandle odd;
    int modulus = 2, ten = 10, hundred = 100;
    CHECK(cudaGraphCreate(&branch, 0));
    CHECK(cudaGraphConditionalHandleCreate(&odd, branch, 0, 0));
    void *chooser[] = {&x, &odd, &modulus}, *by_ten[] = {&x, &ten}, *by_hundred[] = {&x, &hundred};
    cudaGraphNode_t first = add_kernel(branch, nullptr, (void *)cudaGraphSetConditional_by, chooser);
    params = add_condition(branch, &first, odd, cudaGraphCondTypeIf, 2);
    add_kernel(params.conditional.phGraph_out[0], nullptr, (void *)add, by_ten);
    add_kernel(params.conditional.phGraph_out[1], nullptr, (void *)add, by_hundred);
    run("odd or even", branch, 3);
    run("odd or even", branch, 4);
    CHECK(cudaGraphDestroy(branch));

    cudaGraph_t several;
    cudaGraphConditionalHandle which;
    modulus = 4;
    CHECK(cudaGraphCreate(&several, 0));
    CHECK(cudaGraphConditionalHandleCreate(&which, several, 0, 0));
    void *of_four[] = {&x, &which, &modulus};
    first = add_kernel(several, nullptr, (void *)cudaGraphSetConditional_by, of_four);
    params = add_condition(several, &first, which, cudaGraphCondTypeSwitch, 3);
    int amounts[] = {1000, 2000, 3000};
    for (int i = 0; i < 3; i++) {
        void *amount[] = {&x, &amounts[i]};
        add_kernel(params.conditional.phGraph_out[i], nullptr, (void *)add, amount);
    }
    for (int i = 4; i < 8; i++)
        run("one of several", several, i);
    CHECK(cudaGraphDestroy(several));

    CHECK(cudaFree(x));
    CHECK(cudaFree(steps));
    return 0;
}
