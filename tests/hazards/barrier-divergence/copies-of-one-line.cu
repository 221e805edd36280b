// sim --grid 1 --block 64 --arg f32*64=zero
// says wait at line 9 in another turn of a loop or another copy of the code
__global__ void k(float *b) {
    int i = threadIdx.x;
#pragma unroll
    for (int j = 0; j < 2; j++)
        if (i / 32 == j) {
            b[i] = j;
            __syncthreads(); // HAZARD barrier-divergence error
        }
}
