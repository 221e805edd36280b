extern "C" __global__ void row_sums(float *y, const int *offsets, const unsigned short *column, const double *weight,
                         const int *order, const float *level, float scale, int rows, int columns,
                         int nonzeros) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) {
        double sum = 0;
        for (int e = offsets[r]; e < offsets[r + 1]; e++)
            sum += weight[column[e]];
        y[order[r]] = (float)(sum + level[2 * r + 1] - level[2 * r]);
    }
}
