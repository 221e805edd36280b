// nvcc for warpgrade: -arch=compute_90
// Launches with clusters in a captured graph, and by attributes of its nodes; larger clusters where they are allowed,
// and the errors of those that are not.
#include "check.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void where(int *out) {
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0)
        out[blockIdx.x] = 100 * (int)cluster.num_blocks() + (int)cluster.block_rank();
    cluster.sync();
}

static void show(const char *what, const int *out_d) {
    int out[32];
    CHECK(cudaMemcpy(out, out_d, sizeof out, cudaMemcpyDeviceToHost));
    printf("%s:", what);
    for (int i = 0; i < 32; i += 5)
        printf(" %d", out[i]);
    printf("\n");
}

static cudaError_t launch(int *out_d, unsigned blocks, unsigned x, unsigned y, cudaStream_t stream) {
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = 32;
    config.stream = stream;
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = x;
    attribute.val.clusterDim.y = y;
    attribute.val.clusterDim.z = 1;
    config.attrs = &attribute;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, where, out_d);
}

int main() {
    int *out_d;
    CHECK(cudaMalloc(&out_d, 32 * sizeof(int)));
    CHECK(launch(out_d, 32, 4, 1, 0));
    show("launched", out_d);

    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(launch(out_d, 32, 2, 1, stream));
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    show("captured", out_d);
    CHECK(cudaGraphExecDestroy(exec));

    cudaGraphNode_t node;
    size_t count = 1;
    CHECK(cudaGraphGetNodes(graph, &node, &count));
    cudaLaunchAttributeValue value = {};
    CHECK(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeClusterDimension, &value));
    printf("node: %u x %u x %u\n", value.clusterDim.x, value.clusterDim.y, value.clusterDim.z);
    value.clusterDim.x = 8;
    CHECK(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeClusterDimension, &value));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    show("changed", out_d);
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));

    printf("16 blocks: %s\n", cudaGetErrorName(launch(out_d, 32, 16, 1, 0)));
    (void)cudaGetLastError();
    CHECK(cudaFuncSetAttribute(where, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    printf("allowed: %s\n", cudaGetErrorName(launch(out_d, 32, 16, 1, 0)));
    show("sixteen", out_d);
    printf("no multiple: %s\n", cudaGetErrorName(launch(out_d, 32, 3, 1, 0)));
    (void)cudaGetLastError();
    printf("too many: %s\n", cudaGetErrorName(launch(out_d, 32, 32, 1, 0)));
    (void)cudaGetLastError();
    CHECK(cudaStreamDestroy(stream));
    CHECK(cudaFree(out_d));
    return 0;
}
