// sim --grid 2 --block 64 --arg i32*128=iota --arg i32*128=uninit
__global__ void k(int *a, int *b) {
    int i = blockIdx.x * 64 + threadIdx.x;
    a[i] += 1; // HAZARD global-race error
    __threadfence();
    __syncthreads();
    b[i] = a[127 - i];
}
// maybe global-race
