// sim --grid 1 --block 64 --arg f32*128=uninit
// says s[
__global__ void k(float *b) {
    __shared__ __align__(8) float s[128];
    s[threadIdx.x] = s[threadIdx.x + 64] = 1;
    __syncthreads();
    s[threadIdx.x] = threadIdx.x;
    float2 both = ((float2 *)s)[threadIdx.x]; // HAZARD shared-race error
    __syncthreads();
    ((float2 *)b)[threadIdx.x] = both;
}
// maybe shared-race
