// sim --grid 4 --block 32 --seed 3 --arg i32*128=iota --arg i32*1=zero --arg i32*1=zero
// both builds
// Values only fall, and each block looks until nothing changes: which write is seen first does not matter.
__global__ void k(volatile int *dist, int *changed, int *rounds) {
    int i = blockIdx.x * 32 + threadIdx.x;
    for (int round = 0; round < 200; round++) {
        int best = dist[i], left = i ? dist[i - 1] : 0, right = i < 127 ? dist[i + 1] : best;
        int found = min(best, min(left, right) + 1);
        if (found < best) {
            dist[i] = found;
            atomicAdd(changed, 1);
        }
    }
    if (threadIdx.x == 0)
        atomicAdd(rounds, 1);
}
