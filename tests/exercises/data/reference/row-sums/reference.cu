extern "C" __global__ void reference(double *y, const int *offsets, const unsigned short *column,
                                     const double *weight, const int *order, const float *level,
                                     float scale, int rows, int columns, int nonzeros,
                                     double *y_magnitude) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) {
        double sum = 0;
        for (int e = offsets[r]; e < offsets[r + 1]; e++)
            sum += (double)scale * weight[column[e]];
        y[order[r]] = sum + ((double)level[2 * r + 1] - level[2 * r]);
        y_magnitude[order[r]] = fabs(sum) + fabs(level[2 * r + 1]) + fabs(level[2 * r]);
    }
}
