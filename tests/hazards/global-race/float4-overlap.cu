// sim --grid 2 --block 32 --arg f32*256=zero
__global__ void k(float *b) {
    int i = blockIdx.x * 32 + threadIdx.x;
    ((float4 *)b)[i] = make_float4(i, i, i, i);
    if (i == 33)
        b[3] = 5; // HAZARD global-race error
}
