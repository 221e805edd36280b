// sim --grid 1 --block 32 --arg f32*32=zero --arg i32=6
// both builds
template <int ROWS, int COLUMNS> __device__ float trace(float (&a)[ROWS][COLUMNS]) {
    float sum = 0;
    for (int i = 0; i < ROWS; i++)
        sum += a[i][i];
    return sum;
}
__global__ void k(float *out, int n) {
    float a[4][4], row[4], *rows[4];
    for (int i = 0; i < 4; i++) {
        rows[i] = a[i];
        row[i] = i;
        for (int j = 0; j < 4; j++)
            a[i][j] = i * j;
    }
    for (int i = 0; i < n; i++)
        rows[i & 3][i % 4] += row[i & 3];
    out[threadIdx.x] = trace(a) + (&a[1][0])[n];
}
