// sim --grid 4 --block 32 --arg i32*128=zero --arg i32*128=uninit
// advises in a second kernel
__global__ void k(int *a, int *b) {
    int i = blockIdx.x * 32 + threadIdx.x;
    a[i] = i; // HAZARD global-race error
    __syncthreads();
    b[i] = a[(i + 32) % 128];
}
// maybe global-race
