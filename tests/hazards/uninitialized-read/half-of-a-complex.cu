// sim --grid 1 --block 32 --arg f32*32=iota:const --arg f32*64=uninit --arg i32*64=uninit
// two arrays meet in one store: what is missing is no padding
__global__ void k(const float *in, float2 *out, int2 *numbers) {
    __shared__ float re[32], im[32];
    __shared__ int whole[32], rest[32];
    int t = threadIdx.x;
    re[t] = in[t];
    whole[t] = t;
    __syncthreads();
    out[t] = make_float2(re[31 - t],
                         im[31 - t]); // HAZARD uninitialized-read error
    numbers[t] = make_int2(whole[31 - t],
                           rest[31 - t]); // HAZARD uninitialized-read error
}
