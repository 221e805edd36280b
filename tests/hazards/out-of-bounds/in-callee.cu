// sim --grid 1 --block 32 --arg f32*30=zero
__device__ __noinline__ void put(float *a, int i) {
    a[i] = i; // HAZARD out-of-bounds error
}
__global__ void k(float *b) {
    put(b, threadIdx.x);
}
