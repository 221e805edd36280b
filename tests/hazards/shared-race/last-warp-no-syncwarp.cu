// sim --grid 1 --block 64 --arg i32*64=iota:const --arg i32*1=uninit
// says lanes of one warp run in any order without __syncwarp() between them
__global__ void k(const int *a, int *b) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 32];
#pragma unroll
        for (int d = 16; d > 0; d /= 2)
            if (t < d)
                s[t] += s[t + d]; // HAZARD shared-race error
    }
    if (t == 0)
        *b = s[0];
}
