// sim --arch compute_90 --grid 1 --block 64 --arg i32*64=uninit
__global__ void k(int *out) {
    if (threadIdx.x < 32)
        asm volatile("barrier.cluster.arrive;" ::: "memory");
    asm volatile("barrier.cluster.wait;" ::: "memory"); // HAZARD deadlock error
    out[threadIdx.x] = 1;
}
