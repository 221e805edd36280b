// sim --grid 1 --block 64 --arg i32*64=uninit
__global__ void k(int *b) {
    __shared__ int count[64];
    count[threadIdx.x] = 1;
    atomicAdd(&count[threadIdx.x], 2);
    atomicAdd(&count[threadIdx.x], 3);
    b[threadIdx.x] = count[threadIdx.x];
}
