// warpgrade: transpose
#define TILE 32
#define ROWS 8
__global__ void transpose(const float *in, float *out, int width, int height)
{
    __shared__ float s[TILE][TILE + 1];
    int gx = blockIdx.x * blockDim.x + threadIdx.x;
    int gy = blockIdx.y * TILE + threadIdx.y;
    const float *src = in + gy * width + gx;
    float regs[TILE / ROWS];
    // load everything first: four loads in flight
#pragma unroll
    for (int k = 0; k < TILE / ROWS; ++k) {
        regs[k] = 0;
        if (gx < width && gy + k * ROWS < height)
            regs[k] = src[k * ROWS * width];
    }
#pragma unroll
    for (int k = 0; k < TILE / ROWS; ++k)
        s[threadIdx.x][threadIdx.y + k * ROWS] = regs[k];
    __syncthreads();
    int ox = blockIdx.y * TILE + threadIdx.x;
    int oy = blockIdx.x * TILE + threadIdx.y;
    float *dst = out + oy * height + ox;
#pragma unroll
    for (int k = 0; k < TILE / ROWS; ++k)
        if (ox < height && oy + k * ROWS < width)
            dst[k * ROWS * height] = s[threadIdx.y + k * ROWS][threadIdx.x];
}
