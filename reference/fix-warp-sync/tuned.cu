// A warp a row, four rows a block: 16-byte loads where the rows allow them, four of them in flight,
// and the lanes' sums are joined through registers. A warp waits for nobody but itself.
__global__ void row_sums(const float *__restrict__ matrix, float *__restrict__ sums, int rows,
                         int columns)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    const float *x = matrix + (size_t)row * columns;
    float sum = 0.0f;
    if (columns % 4 == 0) {
        const float4 *x4 = reinterpret_cast<const float4 *>(x);
#pragma unroll 4
        for (int c = lane; c < columns / 4; c += 32)
            sum += (x4[c].x + x4[c].y) + (x4[c].z + x4[c].w);
    } else {
#pragma unroll 4
        for (int c = lane; c < columns; c += 32)
            sum += x[c];
    }
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, distance);
    if (lane == 0)
        sums[row] = sum;
}
