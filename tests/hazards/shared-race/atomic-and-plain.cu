// sim --grid 1 --block 64 --arg i32*64=uninit
// shows read beside atomic
// advises Make both accesses atomic
// says an atomic access
__global__ void k(int *b) {
    __shared__ int count;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    atomicAdd(&count, 1);
    b[threadIdx.x] = count; // HAZARD shared-race error
}
// maybe shared-race
