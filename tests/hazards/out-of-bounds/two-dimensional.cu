// sim --grid 1 --block 8,8 --arg f32*64=iota --arg f32*64=zero --arg i32=8
__global__ void k(const float *a, float *b, int n) {
    int x = threadIdx.x, y = threadIdx.y;
    b[y * n + x] = a[(y + 1) * n + x]; // HAZARD out-of-bounds error
}
