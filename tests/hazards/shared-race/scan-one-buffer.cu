// sim --grid 1 --block 64 --arg i32*64=iota:const --arg i32*64=uninit
__global__ void k(const int *a, int *b) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
#pragma unroll 1
    for (int d = 1; d < 64; d *= 2) {
        if (t >= d)
            s[t] += s[t - d]; // HAZARD shared-race error
        __syncthreads();
    }
    b[t] = s[t];
}
