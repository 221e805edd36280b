// nvcc for warpgrade: -arch=compute_90
// A histogram whose bins are spread over the shared memory of a cluster's blocks (distributed shared memory): each
// block adds to the bins of all of them. Launched with cluster sizes that the host chooses.
#include "check.h"

#include <cooperative_groups.h>
#include <vector>

namespace cg = cooperative_groups;

__global__ void count(const int *in, int n, int *bins, int bin_count) {
    extern __shared__ int own[];
    cg::cluster_group cluster = cg::this_cluster();
    int each = bin_count / (int)cluster.num_blocks();
    for (int i = threadIdx.x; i < each; i += blockDim.x)
        own[i] = 0;
    cluster.sync(); // all bins are zero, and all blocks have started
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(cluster.map_shared_rank(own, in[i] / each) + in[i] % each, 1);
    cluster.sync(); // nobody adds any more
    for (int i = threadIdx.x; i < each; i += blockDim.x)
        atomicAdd(&bins[cluster.block_rank() * each + i], own[i]);
}

int main() {
    const int n = 20000, bin_count = 512;
    Random random(7);
    std::vector<int> in(n), right(bin_count, 0), bins(bin_count);
    for (int &x : in) {
        x = (int)(random.below(bin_count) * random.below(bin_count) / bin_count);
        right[x]++;
    }
    int *in_d, *bins_d;
    CHECK(cudaMalloc(&in_d, n * sizeof(int)));
    CHECK(cudaMalloc(&bins_d, bin_count * sizeof(int)));
    CHECK(cudaMemcpy(in_d, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    for (unsigned size = 1; size <= 8; size *= 2) {
        CHECK(cudaMemset(bins_d, 0, bin_count * sizeof(int)));
        cudaLaunchConfig_t config = {};
        config.gridDim = 16;
        config.blockDim = 128;
        config.dynamicSmemBytes = bin_count / size * sizeof(int);
        cudaLaunchAttribute attribute;
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim.x = size;
        attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
        config.attrs = &attribute;
        config.numAttrs = 1;
        int fit = 0;
        CHECK(cudaOccupancyMaxActiveClusters(&fit, count, &config));
        CHECK(cudaLaunchKernelEx(&config, count, (const int *)in_d, n, bins_d, bin_count));
        CHECK(cudaMemcpy(bins.data(), bins_d, bin_count * sizeof(int), cudaMemcpyDeviceToHost));
        printf("clusters of %u: %s, %s\n", size, bins == right ? "right" : "wrong", fit > 0 ? "some fit" : "none fits");
    }
    int largest = 0;
    cudaLaunchConfig_t config = {};
    config.gridDim = 16;
    config.blockDim = 128;
    CHECK(cudaOccupancyMaxPotentialClusterSize(&largest, count, &config));
    printf("the largest cluster that runs everywhere has %d blocks\n", largest);
    CHECK(cudaFree(in_d));
    CHECK(cudaFree(bins_d));
    return 0;
}
