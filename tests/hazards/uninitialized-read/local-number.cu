// sim --grid 1 --block 32 --arg f32*64=iota:const --arg i32*4=iota:const --arg f32*128=uninit
__global__ void k(const float *in, const int *order, float *out) {
    float window[4];
    int t = threadIdx.x;
    for (int i = 0; i < 3; i++)
        window[i] = in[t + i];
    for (int i = 0; i < 4; i++)
        out[4 * t + i] = window[order[i] & 3]; // HAZARD uninitialized-read error
}
