// sim --grid 2 --block 48 --arg f32*48=iota --arg f32*48=zero
// says between blocks use __threadfence()
__device__ volatile int stage;
__global__ void k(float *box, float *out) {
    int t = threadIdx.x;
    if (blockIdx.x == 1) {
        box[t] *= 2;
        __threadfence_block();
        __syncthreads();
        if (t == 5)
            stage = 2;
    } else {
        if (t == 40) {
            while (stage != 2)
                ;
            __threadfence();
        }
        __syncthreads();
        out[t] = box[47 - t]; // HAZARD global-race error
    }
}
