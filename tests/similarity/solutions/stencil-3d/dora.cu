// warpgrade: stencil-3d
#define PLANES 2
__device__ __forceinline__ bool edge(int v, int n) { return v <= 0 || v >= n - 1; }
__global__ void stencil(const float *in, float *out, int nx, int ny, int nz, float c0, float c1)
{
    long col = blockIdx.x * 32L + threadIdx.x;
    long row = blockIdx.y * 8L + threadIdx.y;
    for (long p = blockIdx.z * (long)PLANES; p < blockIdx.z * (long)PLANES + PLANES; p++) {
        if (col >= nx || row >= ny || p >= nz)
            break;
        const float *cell = &in[(p * ny + row) * nx + col];
        float result = *cell;
        if (!edge(col, nx) && !edge(row, ny) && !edge(p, nz)) {
            // six neighbours in a table
            long offset[6] = {1, -1, nx, -nx, (long)nx * ny, -(long)nx * ny};
            float around = 0;
            for (int k = 0; k < 6; k++)
                around += cell[offset[k]];
            result = c0 * result + c1 * around;
        }
        out[(p * ny + row) * nx + col] = result;
    }
}
