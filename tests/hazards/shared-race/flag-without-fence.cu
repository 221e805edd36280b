// sim --grid 1 --block 64 --arg i32*1=uninit --arg i32*1=zero:const
// says data
__global__ void k(int *b, const int *a) {
    __shared__ int data[4];
    __shared__ volatile int ready;
    if (threadIdx.x == 0)
        ready = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        data[*a] = 5;
        ready = 1;
    } else if (threadIdx.x == 32) {
        while (!ready)
            ;
        *b = data[*a]; // HAZARD shared-race error
    }
}
