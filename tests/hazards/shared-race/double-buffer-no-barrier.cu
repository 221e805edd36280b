// sim --grid 1 --block 64 --arg i32*64=iota:const --arg i32*64=uninit
__global__ void k(const int *a, int *b) {
    __shared__ int s[2][64];
    int t = threadIdx.x;
    s[0][t] = a[t];
    __syncthreads();
#pragma unroll 1
    for (int i = 0; i < 6; i++)
        s[~i & 1][t] = s[i & 1][t] + s[i & 1][(t + 40) % 64]; // HAZARD shared-race error
    __syncthreads();
    b[t] = s[0][t];
}
// maybe uninitialized-read
