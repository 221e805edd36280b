// warpgrade: stencil-3d
// A walk through the planes: a column in three registers, the plane in shared memory.
#define PLANES 16

__global__ void stencil(const float *in, float *out, int nx, int ny, int nz, float c0, float c1)
{
    __shared__ float plane[10][34];
    int tx = threadIdx.x + 1;
    int ty = threadIdx.y + 1;
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 8 + threadIdx.y;
    int first = blockIdx.z * PLANES;
    int last = min(first + PLANES, nz);
    bool exists = x < nx && y < ny;
    size_t size = (size_t)nx * ny;
    const float *cell = in + (size_t)first * size + (size_t)y * nx + x;
    bool edge = x == 0 || x == nx - 1 || y == 0 || y == ny - 1;
    float above = exists && first > 0 ? cell[-(ptrdiff_t)size] : 0.0f;
    float middle = exists ? cell[0] : 0.0f;
    for (int z = first; z < last; z++, cell += size) {
        float below = exists && z + 1 < nz ? cell[size] : 0.0f;
        plane[ty][tx] = middle;
        if (exists && threadIdx.x == 0 && x > 0)
            plane[ty][0] = cell[-1];
        if (exists && threadIdx.x == 31 && x + 1 < nx)
            plane[ty][33] = cell[1];
        if (exists && threadIdx.y == 0 && y > 0)
            plane[0][tx] = cell[-nx];
        if (exists && threadIdx.y == 7 && y + 1 < ny)
            plane[9][tx] = cell[nx];
        __syncthreads();
        if (exists) {
            float result = middle;
            if (!edge && z > 0 && z < nz - 1)
                result = c0 * middle + c1 * (plane[ty][tx - 1] + plane[ty][tx + 1] +
                                             plane[ty - 1][tx] + plane[ty + 1][tx] + above + below);
            out[cell - in] = result;
        }
        __syncthreads();
        above = middle;
        middle = below;
    }
}
