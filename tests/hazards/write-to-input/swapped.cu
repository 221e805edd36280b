// sim --grid 1 --block 32 --arg f32*32=uninit --arg f32*32=iota:const
__global__ void k(float *out, float *in) {
    in[threadIdx.x] = 5; // HAZARD write-to-input error
    out[threadIdx.x] = 2;
}
