// Row 1 starts on a 16-byte boundary only if cols is a multiple of four.
#define ROWS_PER_BLOCK 8
#define THREADS        256

__global__ void gemv(const float *A, const float *x, float *y, int rows, int cols)
{
    int lane = threadIdx.x % 32;
    int row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.x / 32;
    if (row >= rows)
        return;
    float sum = 0.0f;
    const float *a = A + (size_t)row * cols;
    int col = lane * 4;
    for (; col + 3 < cols; col += 128) {
        float4 m = *reinterpret_cast<const float4 *>(a + col);
        float4 v = *reinterpret_cast<const float4 *>(x + col);
        sum += m.x * v.x + m.y * v.y + m.z * v.z + m.w * v.w;
    }
    for (int end = min(col + 4, cols); col < end; col++)
        sum += a[col] * x[col];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step);
    if (lane == 0)
        y[row] = sum;
}
