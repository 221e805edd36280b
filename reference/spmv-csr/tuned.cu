// As many lanes a row as the mean row has elements, at most a warp: where rows are short, a warp takes
// several, and fewer lanes have nothing to do. Two elements a lane are in flight, so that a gather
// from x does not wait for the one before it.
template <int LANES>
__device__ static void multiply(const int *__restrict__ row_offsets,
                                const int *__restrict__ columns, const float *__restrict__ values,
                                const float *__restrict__ x, float *__restrict__ y, int rows)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int row = thread / LANES, lane = thread % LANES;
    int begin = row < rows ? row_offsets[row] : 0;
    int end = row < rows ? row_offsets[row + 1] : 0;
    float sum = 0.0f, other = 0.0f;
    int k = begin + lane;
    for (; k + LANES < end; k += 2 * LANES) {
        int first = columns[k], second = columns[k + LANES];
        float a = values[k], b = values[k + LANES];
        sum = fmaf(a, x[first], sum);
        other = fmaf(b, x[second], other);
    }
    if (k < end)
        sum = fmaf(values[k], x[columns[k]], sum);
    sum += other;
    for (int distance = LANES / 2; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance, LANES);
    if (lane == 0 && row < rows)
        y[row] = sum;
}

__global__ void spmv(const int *row_offsets, const int *columns, const float *values,
                     const float *x, float *y, int rows, int width, int nonzeros)
{
    if (nonzeros / rows < 6)
        multiply<4>(row_offsets, columns, values, x, y, rows);
    else if (nonzeros / rows < 12)
        multiply<8>(row_offsets, columns, values, x, y, rows);
    else if (nonzeros / rows < 48)
        multiply<16>(row_offsets, columns, values, x, y, rows);
    else
        multiply<32>(row_offsets, columns, values, x, y, rows);
}
