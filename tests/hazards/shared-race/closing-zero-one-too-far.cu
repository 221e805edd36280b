// sim --grid 1 --block 32 --arg i32*128=iota:const --arg i32*132=zero --arg i32=4
// both builds
// Each thread writes a closing 0 into the first element of the next thread's piece. All lanes write
// 0 in that turn, but what was in the element before is not 0.
__global__ void k(const int *in, int *out, int n) {
    __shared__ int s[132];
    for (int i = 0; i <= n; i++)
        s[threadIdx.x * n + i] = i < n ? in[threadIdx.x * n + i] + 1 : 0; // HAZARD shared-race error
    __syncthreads();
    for (int i = 0; i < n; i++)
        out[threadIdx.x * n + i] = s[threadIdx.x * n + i];
}
