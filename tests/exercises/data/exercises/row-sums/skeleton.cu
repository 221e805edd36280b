// warpgrade: row-sums
extern "C" __global__ void row_sums(float *y, const int *offsets, const unsigned short *column, const double *weight,
                         const int *order, const float *level, float scale, int rows, int columns,
                         int nonzeros) {
    // your code
}
