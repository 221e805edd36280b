// sim --grid 2,2 --block 16,16 --arg f32*1024=uniform:const --arg f32*1024=uniform:const --arg f32*1024=uninit
__global__ void k(const float *a, const float *b, float *c) {
    __shared__ float s[16][16], t[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
    for (int i = 0; i < 32; i += 16) {
        s[threadIdx.y][threadIdx.x] = a[y * 32 + i + threadIdx.x];
        t[threadIdx.y][threadIdx.x] = b[(i + threadIdx.y) * 32 + x];
        __syncthreads();
        for (int j = 0; j < 16; j++)
            sum += s[threadIdx.y][j] * t[j][threadIdx.x];
        __syncthreads();
    }
    c[y * 32 + x] = sum;
}
