extern "C" __global__ void row_sums(float *y, const int *offsets, const unsigned short *column, const double *weight,
                         const int *order, const float *level, float scale, int rows, int columns,
                         int nonzeros) {
    for (int r = 0; r < rows && blockIdx.x == 0 && threadIdx.x == 0; r++) {
        double sum = 0;
        for (int e = offsets[r]; e < offsets[r + 1]; e++)
            sum += weight[column[e]];
        y[order[r]] = (float)(scale * sum + level[2 * r + 1] - level[2 * r]);
    }
}
