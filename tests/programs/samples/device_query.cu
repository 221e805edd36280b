// What programs ask about a card before they start; figures that each card of that kind has.
#include "check.h"

int main() {
    int count = 0, driver = 0, runtime = 0, value = 0;
    CHECK(cudaGetDeviceCount(&count));
    CHECK(cudaDriverGetVersion(&driver));
    CHECK(cudaRuntimeGetVersion(&runtime));
    printf("devices: %s; driver at least as new as the runtime: %d; runtime %d\n", count > 0 ? "yes" : "none",
           driver >= runtime, runtime / 1000);
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    printf("warps of %d, blocks of at most %d, block %d %d %d, grid %d %d %d\n", p.warpSize, p.maxThreadsPerBlock,
           p.maxThreadsDim[0], p.maxThreadsDim[1], p.maxThreadsDim[2], p.maxGridSize[0], p.maxGridSize[1], p.maxGridSize[2]);
    printf("shared memory %zu, registers %d, constant memory %zu, capability at least 7: %d\n", p.sharedMemPerBlock,
           p.regsPerBlock, p.totalConstMem, p.major >= 7);
    printf("unified addressing %d, managed %d, async engines %s\n", p.unifiedAddressing, p.managedMemory,
           p.asyncEngineCount > 0 ? "yes" : "no");
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0));
    printf("attribute: %d\n", value);
    size_t free = 0, total = 0;
    CHECK(cudaMemGetInfo(&free, &total));
    printf("memory: %s\n", free > 0 && free <= total && total <= p.totalGlobalMem ? "as expected" : "strange");
    printf("no such device: %s\n", cudaGetErrorName(cudaSetDevice(count)));
    printf("last error: %s\n", cudaGetErrorString(cudaGetLastError()));
    printf("and then: %s\n", cudaGetErrorString(cudaGetLastError()));
}
