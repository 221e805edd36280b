// sim --grid 2 --block 32 --arg f32*256=iota
__global__ void k(float *a) {
    float4 *v = (float4 *)a;
    int i = blockIdx.x * 32 + threadIdx.x;
    v[i].w = v[i].x;
}
