// sim --grid 2 --block 64 --arg i32*64=zero --arg i32*64=uninit
// advises in place of what has the scope of a block
// says the fence or release after the other access orders only threads of its own block
__device__ int full;
__global__ void k(int *box, int *out) {
    int t = threadIdx.x;
    if (blockIdx.x == 0) {
        box[t] = 3 * t;
        __syncthreads();
        if (t == 0) {
            __threadfence_block();
            atomicExch(&full, 1);
        }
    } else {
        if (t == 0)
            while (atomicAdd(&full, 0) == 0)
                ;
        __syncthreads();
        out[t] = box[63 - t]; // HAZARD global-race error
    }
}
