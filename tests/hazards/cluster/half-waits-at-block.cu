// sim --arch compute_90 --grid 2 --block 64 --cluster 2 --kernel k --arg i32*2=uninit
// maybe barrier-divergence
__global__ void k(int *out) {
    if (blockIdx.x == 0 && threadIdx.x < 32) {
        asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory"); // HAZARD deadlock any
    } else if (blockIdx.x == 0) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
    } else {
        asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory"); // HAZARD deadlock any
    }
    out[blockIdx.x] = 1;
}
