// sim --grid 1 --block 32 --arg f32*32=zero --arg i32*32=iota
__global__ void k(float *b, const int *at) {
    float l[16];
    for (int i = 0; i < 16; i++)
        l[(i * 5 + at[0]) & 15] = i;
    b[threadIdx.x] = l[at[threadIdx.x] & 15];
}
