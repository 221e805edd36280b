// sim --grid 8 --block 64 --arg f32*8=iota:const --arg f32*8=uninit
// one warp waits for a flag that another sets after a fence
__global__ void k(const float *in, float *out) {
    __shared__ volatile int flag;
    __shared__ float data;
    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        data = in[blockIdx.x] + threadIdx.x;
        __threadfence_block();
        flag = 1;
    } else if (threadIdx.x == 32) {
        while (flag == 0)
            ;
        __threadfence_block();
        out[blockIdx.x] = data;
    }
}
