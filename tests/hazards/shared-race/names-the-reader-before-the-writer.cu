// sim --grid 1 --block 32 --arg i32*33=iota:const --arg i32*32=uninit
// says a write of s[1] by thread (0, 0, 0) and a read by thread (1, 0, 0)
__global__ void k(const int *a, int *b) {
    __shared__ int s[33];
    int t = threadIdx.x;
    s[t + 1] = a[t];
    if (t == 0)
        s[0] = 0;
    __syncthreads();
    volatile int x = s[t];
    int sum = x * 100 + s[t + 1];
    s[t + 1] = sum; // HAZARD shared-race error
    __syncthreads();
    b[t] = s[32 - t];
}
