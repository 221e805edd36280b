// warpgrade: stencil-3d
#define PLANES 8
// The column of a thread moves through three registers.
__global__ void stencil(const float *in, float *out, int nx, int ny, int nz, float c0, float c1)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < nx && y < ny) {
        const size_t plane = (size_t)nx * ny;
        int z = blockIdx.z * PLANES;
        const int end = min(z + PLANES, nz);
        const float *p = in + z * plane + (size_t)y * nx + x;
        float *q = out + z * plane + (size_t)y * nx + x;
        float below = z > 0 ? p[-(long)plane] : 0.f, here = *p, above;
        const bool rim = x == 0 || x == nx - 1 || y == 0 || y == ny - 1;
        for (; z < end; ++z, p += plane, q += plane) {
            above = z + 1 < nz ? p[plane] : 0.f;
            if (rim || z == 0 || z == nz - 1)
                *q = here;
            else
                *q = c0 * here + c1 * (below + above + p[-1] + p[1] + p[-nx] + p[nx]);
            below = here;
            here = above;
        }
    }
}
