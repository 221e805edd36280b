// warpgrade: gemv-open
// A warp a row, 16 bytes a load and four loads at once where rows begin at 16-byte boundaries.
#define ROWS_PER_BLOCK 8
#define THREADS        256

__device__ float product(float4 a, float4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

__global__ void gemv(const float *A, const float *x, float *y, int rows, int cols)
{
    int row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    const float *start = A + (size_t)row * cols;
    float sum = 0.0f;
    if (cols % 4 == 0) {
        const float4 *a = reinterpret_cast<const float4 *>(start);
        const float4 *b = reinterpret_cast<const float4 *>(x);
        int count = cols / 4;
        int i = lane;
        for (; i + 96 < count; i += 128) {
            float4 a0 = a[i];
            float4 a1 = a[i + 32];
            float4 a2 = a[i + 64];
            float4 a3 = a[i + 96];
            sum += product(a0, b[i]) + product(a1, b[i + 32]);
            sum += product(a2, b[i + 64]) + product(a3, b[i + 96]);
        }
        for (; i < count; i += 32)
            sum += product(a[i], b[i]);
    } else {
        for (int i = lane; i < cols; i += 32)
            sum += start[i] * x[i];
    }
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step);
    if (lane == 0)
        y[row] = sum;
}
