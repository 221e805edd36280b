// nvcc for warpgrade: -arch=compute_90
// A one-dimensional stencil in which each block keeps its part in shared memory for all steps; what it needs of its
// neighbours it reads from their shared memory. The cluster's size is the kernel's own.
#include "check.h"

#include <cooperative_groups.h>
#include <vector>

namespace cg = cooperative_groups;
enum { THREADS = 64, BLOCKS = 4, STEPS = 10 };

__global__ void __cluster_dims__(BLOCKS, 1, 1) diffuse(const int *in, int *out) {
    __shared__ int parts[2][THREADS];
    cg::cluster_group cluster = cg::this_cluster();
    int rank = (int)cluster.block_rank(), t = (int)threadIdx.x, at = blockIdx.x * THREADS + t;
    parts[0][t] = in[at];
    cluster.sync();
    for (int step = 0; step < STEPS; step++) {
        int *now = parts[step % 2], *next = parts[(step + 1) % 2];
        int left = t > 0 ? now[t - 1] : cluster.map_shared_rank(now, (rank + BLOCKS - 1) % BLOCKS)[THREADS - 1];
        int right = t + 1 < THREADS ? now[t + 1] : cluster.map_shared_rank(now, (rank + 1) % BLOCKS)[0];
        next[t] = (left + 2 * now[t] + right) / 4;
        cluster.sync();
    }
    out[at] = parts[STEPS % 2][t];
}

int main() {
    const int n = 3 * BLOCKS * THREADS, ring = BLOCKS * THREADS;
    Random random(11);
    std::vector<int> values(n), out(n);
    for (int &x : values)
        x = (int)random.below(1 << 20);
    int *in_d, *out_d;
    CHECK(cudaMalloc(&in_d, n * sizeof(int)));
    CHECK(cudaMalloc(&out_d, n * sizeof(int)));
    CHECK(cudaMemcpy(in_d, values.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    diffuse<<<n / THREADS, THREADS>>>(in_d, out_d);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), out_d, n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int step = 0; step < STEPS; step++) {
        std::vector<int> next(n);
        for (int i = 0; i < n; i++) {
            int first = i / ring * ring, j = i - first;
            next[i] = (values[first + (j + ring - 1) % ring] + 2 * values[i] + values[first + (j + 1) % ring]) / 4;
        }
        values = next;
    }
    printf("%s\n", out == values ? "right" : "wrong");
    cudaFuncAttributes attributes;
    CHECK(cudaFuncGetAttributes(&attributes, diffuse));
    printf("required cluster: %d x %d x %d\n", attributes.requiredClusterWidth, attributes.requiredClusterHeight,
           attributes.requiredClusterDepth);
    CHECK(cudaFree(in_d));
    CHECK(cudaFree(out_d));
    return 0;
}
