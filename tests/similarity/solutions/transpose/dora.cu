// warpgrade: transpose
#define TILE 32
#define ROWS 8
__device__ bool inside(int a, int b, int limA, int limB) { return a < limA && b < limB; }

__global__ void transpose(const float *in, float *out, int width, int height)
{
    __shared__ float patch[33 * 32];
    int flat = threadIdx.y * 32 + threadIdx.x;      // 0 .. 255
    int bx = blockIdx.x << 5, by = blockIdx.y << 5;
    for (int e = flat; e < 1024; e += 256) {
        int r = e >> 5, c = e & 31;
        if (inside(bx + c, by + r, width, height))
            patch[c * 33 + r] = in[(by + r) * width + bx + c];
    }
    __syncthreads();
    for (int e = flat; e < 1024; e += 256) {
        int r = e >> 5, c = e & 31;
        if (inside(by + c, bx + r, height, width))
            out[(bx + r) * height + by + c] = patch[r * 33 + c];
    }
}
