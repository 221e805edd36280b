// sim --grid 2 --block 32 --arg i32*49=iota:const --arg f32*200=uniform:const --arg f32*64=uniform:const --arg f32*48=uninit
// row i holds the entries 4 i .. 4 i + 3, at columns (7 e) mod 64
__global__ void k(const int *rows, const float *values, const float *x, float *y) {
    int row = blockIdx.x * 32 + threadIdx.x;
    if (row < 48) {
        float sum = 0;
        for (int e = 4 * rows[row]; e < 4 * rows[row + 1]; e++)
            sum += values[e] * x[7 * e & 63];
        y[row] = sum;
    }
}
__global__ void check(const int *rows, const float *values, const float *x, float *y) {
    for (int r = 0; r < 48; r++) {
        double sum = 0;
        for (int e = 4 * r; e < 4 * r + 4; e++)
            sum += (double)values[e] * x[(7 * e) % 64];
        if (!(fabs(sum - y[r]) < 1e-6))
            __trap();
    }
}
