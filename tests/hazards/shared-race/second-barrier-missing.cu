// sim --grid 1 --block 16,16 --arg f32*1024=uniform:const --arg f32*256=uninit
// says tile[
__global__ void k(const float *a, float *b) {
    __shared__ float tile[16][16];
    float sum = 0;
    for (int i = 0; i < 4; i++) {
        tile[threadIdx.y][threadIdx.x] = a[i * 256 + threadIdx.y * 16 + threadIdx.x]; // HAZARD shared-race error
        __syncthreads();
        for (int j = 0; j < 16; j++)
            sum += tile[j][threadIdx.y];
    }
    b[threadIdx.y * 16 + threadIdx.x] = sum;
}
// maybe shared-race
