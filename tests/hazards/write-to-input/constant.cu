// sim --grid 1 --block 32 --arg f32*32=zero
__constant__ float c[32];
__global__ void k(float *b) {
    const float *from = c;
    asm volatile("" : "+l"(from)); // the compiler must not see that it is constant
    const_cast<float *>(from)[threadIdx.x] = 1; // HAZARD write-to-input error
    b[threadIdx.x] = 1;
}
