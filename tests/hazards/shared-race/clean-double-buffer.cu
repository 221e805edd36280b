// sim --grid 1 --block 64 --arg i32*512=iota:const --arg i32*64=uninit
__global__ void k(const int *a, int *b) {
    __shared__ int s[2][64];
    int t = threadIdx.x, sum = 0;
    s[0][t] = a[t];
    __syncthreads();
    for (int i = 0; i < 8; i++) {
        if (i < 7)
            s[~i & 1][t] = a[(i + 1) * 64 + t];
        sum += s[i & 1][63 - t];
        __syncthreads();
    }
    b[t] = sum;
}
