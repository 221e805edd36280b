// sim --seed 2 --grid 6 --block 32 --arg i32*4=uninit --arg i32*2=zero --arg i32*6=uninit
// Who waits for the lock must look again whether the data is ready.
__global__ void k(int *data, int *state, int *out) {
    if (threadIdx.x)
        return;
    volatile int *ready = &state[1];
    if (!*ready) {
        while (atomicCAS(&state[0], 0, 1) != 0)
            ;
        data[1] = 43; // HAZARD global-race error
        __threadfence();
        *ready = 1;
        __threadfence();
        atomicExch(&state[0], 0);
    }
    __threadfence();
    out[blockIdx.x] = data[1];
}
