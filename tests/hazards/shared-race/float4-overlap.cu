// sim --grid 1 --block 64 --arg f32*256=uninit
// says s[
__global__ void k(float *b) {
    __shared__ __align__(16) float s[256];
    ((float4 *)s)[threadIdx.x] = make_float4(1, 2, 3, 4);
    __syncthreads();
    float4 own = ((float4 *)s)[threadIdx.x];
    s[(threadIdx.x * 4 + 7) % 256] = own.x + own.y + own.z + own.w; // HAZARD shared-race error
    __syncthreads();
    ((float4 *)b)[threadIdx.x] = ((float4 *)s)[threadIdx.x];
}
// maybe shared-race
