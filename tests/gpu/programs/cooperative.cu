// A reduction by one cooperative launch: tiles, a barrier of the grid, attributes of a launch.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void sum(const float *in, float *part, float *out, int n) {
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    extern __shared__ float s[];
    float v = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size())
        v += in[i];
    auto tile = cg::tiled_partition<32>(block);
    v = cg::reduce(tile, v, cg::plus<float>());
    if (tile.thread_rank() == 0)
        s[tile.meta_group_rank()] = v;
    block.sync();
    if (block.thread_rank() == 0) {
        float t = 0;
        for (int i = 0; i < (int)tile.meta_group_size(); i++)
            t += s[i];
        part[blockIdx.x] = t;
    }
    grid.sync();
    if (grid.thread_rank() == 0) {
        float t = 0;
        for (int i = 0; i < (int)gridDim.x; i++)
            t += part[i];
        *out = t;
    }
}
int main() {
    int n = 100000, sms, per;
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    int can;
    cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per, sum, 256, 32 * 4);
    printf("%d\n", can);
    float *in, *part, *out;
    cudaMallocManaged(&in, n * 4);
    cudaMallocManaged(&out, 4);
    cudaMalloc(&part, sms * per * 4);
    for (int i = 0; i < n; i++)
        in[i] = 1;
    void *args[] = {&in, &part, &out, &n};
    printf("%s\n", cudaGetErrorName(cudaLaunchCooperativeKernel((void *)sum, dim3(sms * per),
                                                                dim3(256), args, 32 * 4, 0)));
    printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
    printf("%g\n", *out);
    printf("%s\n", cudaGetErrorName(cudaLaunchCooperativeKernel((void *)sum, dim3(sms * per + 1),
                                                                dim3(256), args, 32 * 4, 0)));
    cudaGetLastError();
    cudaLaunchConfig_t c = {};
    c.gridDim = 4;
    c.blockDim = 128;
    c.dynamicSmemBytes = 128;
    cudaLaunchAttribute at[2];
    at[0].id = cudaLaunchAttributeCooperative;
    at[0].val.cooperative = 1;
    at[1].id = cudaLaunchAttributePriority;
    at[1].val.priority = 0;
    c.attrs = at;
    c.numAttrs = 2;
    printf("%s ", cudaGetErrorName(cudaLaunchKernelEx(&c, sum, (const float *)in, part, out, n)));
    printf("%s ", cudaGetErrorName(cudaDeviceSynchronize()));
    printf("%g\n", *out);
}
