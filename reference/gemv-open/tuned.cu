// A block a row: 16 bytes a thread and load, eight loads in flight before the first is needed, then
// shuffles within the warps and shared memory between them. Where rows do not start on a 16-byte
// boundary, the threads take single elements.
#define ROWS_PER_BLOCK 1
#define THREADS        256
#define LOADS          8

__device__ float products(float4 a, float4 x)
{
    return a.x * x.x + a.y * x.y + a.z * x.z + a.w * x.w;
}

__global__ void __launch_bounds__(THREADS)
    gemv(const float *__restrict__ A, const float *__restrict__ x, float *__restrict__ y, int rows,
         int cols)
{
    __shared__ float part[THREADS / 32];
    int thread = threadIdx.x, row = blockIdx.x;
    const float *start = A + (size_t)row * cols;
    float sum = 0;
    if (cols % 4 == 0) {
        const float4 *a4 = reinterpret_cast<const float4 *>(start);
        const float4 *x4 = reinterpret_cast<const float4 *>(x);
        int quads = cols / 4, q = thread;
        for (; q + (LOADS - 1) * THREADS < quads; q += LOADS * THREADS) {
            float4 a[LOADS];
#pragma unroll
            for (int i = 0; i < LOADS; i++)
                a[i] = __ldg(a4 + q + i * THREADS);
#pragma unroll
            for (int i = 0; i < LOADS; i++)
                sum += products(a[i], x4[q + i * THREADS]);
        }
#pragma unroll 2
        for (; q < quads; q += THREADS)
            sum += products(a4[q], x4[q]);
    } else {
#pragma unroll 8
        for (int col = thread; col < cols; col += THREADS)
            sum += start[col] * x[col];
    }
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step);
    if (thread % 32 == 0)
        part[thread / 32] = sum;
    __syncthreads();
    if (thread == 0) {
        for (int i = 1; i < THREADS / 32; i++)
            sum += part[i];
        y[row] = sum;
    }
}
