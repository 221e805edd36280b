// sim --grid 4 --block 32 --arg i32*64=zero --arg i32*64=zero --arg i32*64=zero --arg i32*4=zero
// both builds
// A breadth-first search: who claims a node writes its level, and everyone may look at levels.
__global__ void k(volatile int *level, int *claimed, volatile int *parent, int *seen) {
    if (threadIdx.x)
        return;
    int sum = 0;
    for (int v = 0; v < 64; v++) {
        if (atomicAdd(&claimed[v], 1) == 0) {
            parent[v] = blockIdx.x;
            level[v] = v / 8;
        }
        int u = (v * 37 + blockIdx.x) % 64;
        sum |= level[u];
    }
    seen[blockIdx.x] = sum;
}
