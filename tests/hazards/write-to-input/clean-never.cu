// sim --grid 1 --block 32 --arg f32*32=iota:const --arg f32*32=zero --arg i32=0
__global__ void k(float *a, float *b, int n) {
    if (threadIdx.x < n)
        a[threadIdx.x] = 0;
    b[threadIdx.x] = a[threadIdx.x];
}
