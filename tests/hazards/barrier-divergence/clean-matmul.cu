// sim --grid 3,2 --block 16,16 --arg f32*1480=uniform --arg f32*1600=uniform --arg f32*1480=uninit --arg i32=37 --arg i32=40 --arg i32=40
// c (m x n) = a (m x p) * b (p x n), no size a multiple of the tile
#define T 16
__global__ void k(const float *a, const float *b, float *c, int m, int n, int p) {
    __shared__ float s[T][T], t[T][T];
    int row = blockIdx.y * T + threadIdx.y, column = blockIdx.x * T + threadIdx.x;
    if (gridDim.y * T < m)
        row += 0; // the rows beyond are done below
    for (int band = 0; band < m; band += gridDim.y * T) {
        float sum = 0;
        for (int j = 0; j < (p + T - 1) / T; j++) {
            int x = j * T + threadIdx.x, y = j * T + threadIdx.y;
            s[threadIdx.y][threadIdx.x] = band + row < m && x < p ? a[(band + row) * p + x] : 0;
            t[threadIdx.y][threadIdx.x] = y < p && column < n ? b[y * n + column] : 0;
            __syncthreads();
            for (int i = 0; i < T; i++)
                sum += s[threadIdx.y][i] * t[i][threadIdx.x];
            __syncthreads();
        }
        if (band + row < m && column < n)
            c[(band + row) * n + column] = sum;
    }
}
__global__ void check(const float *a, const float *b, float *c, int m, int n, int p) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int x = 0; x < p; x++)
                sum += (double)a[i * p + x] * b[x * n + j];
            if (!(fabs(sum - c[i * n + j]) < 1e-4))
                __trap();
        }
}
