// sim --grid 4 --block 64 --arg i32*2=zero --arg i32*256=zero
__global__ void k(int *a, int *out) {
    int i = blockIdx.x * 64 + threadIdx.x;
    int seen = a[1]; // HAZARD global-race error
    if (seen == 0)
        atomicCAS(&a[0], seen, i); // of another element: nothing confirms what was seen
    atomicAdd(&a[1], 1); // HAZARD global-race error
    out[i] = seen;
}
