// A warp a row: 16 bytes a lane and load, eight loads in flight before the first is needed, then five
// shuffles. Where the row does not start on a 16-byte boundary, the lanes take single elements.
#define ROWS_PER_BLOCK 8
#define THREADS        256
#define LOADS          8

__device__ float products(float4 a, float4 x)
{
    return a.x * x.x + a.y * x.y + a.z * x.z + a.w * x.w;
}

__global__ void gemv(const float *__restrict__ A, const float *__restrict__ x,
                     float *__restrict__ y, int rows, int cols)
{
    int lane = threadIdx.x % 32;
    int row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.x / 32;
    if (row >= rows)
        return;
    const float *start = A + (size_t)row * cols;
    float sum = 0;
    if (cols % 4 == 0) {
        const float4 *a4 = reinterpret_cast<const float4 *>(start);
        const float4 *x4 = reinterpret_cast<const float4 *>(x);
        int quads = cols / 4, q = lane;
        for (; q + (LOADS - 1) * 32 < quads; q += LOADS * 32) {
            float4 a[LOADS];
#pragma unroll
            for (int i = 0; i < LOADS; i++)
                a[i] = __ldg(a4 + q + i * 32);
#pragma unroll
            for (int i = 0; i < LOADS; i++)
                sum += products(a[i], x4[q + i * 32]);
        }
        for (; q < quads; q += 32)
            sum += products(a4[q], x4[q]);
    } else {
#pragma unroll 8
        for (int col = lane; col < cols; col += 32)
            sum += start[col] * x[col];
    }
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step);
    if (lane == 0)
        y[row] = sum;
}
