// sim --grid 1 --block 32 --arg f32*32=iota --arg i32=32
// says arg0[32]
__global__ void k(float *a, int n) {
    int i = threadIdx.x;
    float next = a[i + 1]; // HAZARD out-of-bounds error
    __syncthreads();
    if (i < n)
        a[i] = next;
}
