// sim --grid 1 --block 32 --arg f32*128=uninit
__global__ void k(float *b) {
    __shared__ char head;
    __shared__ float4 s[32];
    if (threadIdx.x == 0)
        head = 1;
    __syncthreads();
    s[threadIdx.x] = make_float4(1, 2, 3, threadIdx.x + head);
    ((float4 *)b)[threadIdx.x] = s[threadIdx.x];
}
