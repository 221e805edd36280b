// sim --grid 1 --block 64 --arg i32*64=iota --arg i32*64=zero
// says arg0[
__global__ void k(int *a, int *b) {
    int t = threadIdx.x, sum = 0;
#pragma unroll 1
    for (int i = 0; i < 3; i++) {
        a[t] = t + i; // HAZARD global-race any
        __syncthreads();
        sum += a[63 - t];
    }
    b[t] = sum;
}
// maybe global-race
