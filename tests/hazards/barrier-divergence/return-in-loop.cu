// sim --grid 1 --block 64 --arg i32*64=iota --arg i32*64=zero
__global__ void k(const int *a, int *b) {
    __shared__ int s[64];
    int i = threadIdx.x;
#pragma unroll 1
    for (int j = 0; j < 4; j++) {
        s[i] = a[i] + j;
        __syncthreads(); // HAZARD barrier-divergence any
        if (s[i] > 60)
            return;
        b[i] = s[i];
    }
}
