// warpgrade: stencil-3d
#define PLANES 4
__global__ void stencil(const float *in, float *out, int nx, int ny, int nz, float c0, float c1)
{
    unsigned x = blockIdx.x * 32u + threadIdx.x, y = blockIdx.y * 8u + threadIdx.y;
    if (x >= (unsigned)nx || y >= (unsigned)ny) return;
    unsigned area = nx * ny, i = y * nx + x;
#pragma unroll
    for (unsigned k = 0; k < PLANES; k++) {
        unsigned z = blockIdx.z * PLANES + k;
        if (z >= (unsigned)nz) return;
        unsigned j = z * area + i;
        // unsigned: x - 1 wraps around at 0, so one comparison tests both sides
        bool inner = x - 1 < (unsigned)nx - 2 && y - 1 < (unsigned)ny - 2 && z - 1 < (unsigned)nz - 2;
        if (nx < 3 || ny < 3 || nz < 3) inner = false;
        float sum = 0, centre = in[j];
        if (inner) {
            sum = in[j + 1] + in[j - 1];
            sum = sum + (in[j + nx] + in[j - nx]);
            sum = sum + (in[j + area] + in[j - area]);
        }
        out[j] = inner ? c0 * centre + c1 * sum : centre;
    }
}
