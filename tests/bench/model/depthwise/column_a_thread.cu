// As plain, but a thread goes down 16 rows of a column and keeps the three rows that it needs in registers,
// and the filter.
__global__ void fold(const float *in, const float *filters, float *out, int planes)
{
    int x = threadIdx.x, begin = blockIdx.y * 16, plane = blockIdx.x;
    const float *from = in + (size_t)plane * 12544;
    float filter[9], window[3][3] = {};
    for (int i = 0; i < 9; i++)
        filter[i] = filters[plane * 9 + i];
#pragma unroll
    for (int row = -1; row <= 16; row++) {
        int y = begin + row;
#pragma unroll
        for (int i = 0; i < 3; i++) {
            window[0][i] = window[1][i];
            window[1][i] = window[2][i];
            window[2][i] = y >= 0 && y < 112 && x + i >= 1 && x + i <= 112 ? from[y * 112 + x + i - 1] : 0.0f;
        }
        if (row < 1)
            continue;
        float total = 0.0f;
#pragma unroll
        for (int i = 0; i < 9; i++)
            total += filter[i] * window[i / 3][i % 3];
        out[(size_t)plane * 12544 + (y - 1) * 112 + x] = total;
    }
}
