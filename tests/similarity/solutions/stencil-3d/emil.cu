// warpgrade: stencil-3d
#define PLANES 1
// Left and right come from the neighbouring lanes.
__global__ void stencil(const float *in, float *out, int nx, int ny, int nz, float c0, float c1)
{
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 8 + threadIdx.y;
    int z = blockIdx.z;
    int xx = min(x, nx - 1), yy = min(y, ny - 1);
    int idx = z * nx * ny + yy * nx + xx;
    float mid = __ldg(in + idx);
    float l = __shfl_up_sync(0xffffffffu, mid, 1);
    float r = __shfl_down_sync(0xffffffffu, mid, 1);
    if (x >= nx || y >= ny) return;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1) {
        if (threadIdx.x == 0) l = __ldg(in + idx - 1);
        if (threadIdx.x == 31) r = __ldg(in + idx + 1);
        float vertical = __ldg(in + idx - nx) + __ldg(in + idx + nx);
        float deep = __ldg(in + idx - nx * ny) + __ldg(in + idx + nx * ny);
        mid = fmaf(c1, l + r + vertical + deep, c0 * mid);
    }
    out[idx] = mid;
}
