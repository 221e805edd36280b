// warpgrade: stencil-3d
#define PLANES 4
__global__ void stencil(const float *in, float *out, int nx, int ny, int nz, float c0, float c1)
{
    __shared__ float t[10][34];
    int lx = threadIdx.x + 1, ly = threadIdx.y + 1;
    int gx = blockIdx.x * 32 + threadIdx.x, gy = blockIdx.y * 8 + threadIdx.y;
    for (int k = 0; k < PLANES; k++) {
        int gz = blockIdx.z * PLANES + k;
        bool have = gx < nx && gy < ny && gz < nz;
        int c = (gz * ny + gy) * nx + gx;
        if (have) {
            t[ly][lx] = in[c];
            if (lx == 1 && gx > 0) t[ly][0] = in[c - 1];
            if (lx == 32 && gx < nx - 1) t[ly][33] = in[c + 1];
            if (ly == 1 && gy > 0) t[0][lx] = in[c - nx];
            if (ly == 8 && gy < ny - 1) t[9][lx] = in[c + nx];
        }
        __syncthreads();
        if (have) {
            bool border = gx % (nx - 1) == 0 || gy % (ny - 1) == 0 || gz % (nz - 1) == 0;
            if (nx == 1 || ny == 1 || nz == 1) border = true;
            float v = t[ly][lx];
            if (!border) {
                float s = t[ly][lx - 1] + t[ly][lx + 1] + t[ly - 1][lx] + t[ly + 1][lx];
                s += in[c - nx * ny];
                s += in[c + nx * ny];
                v = c0 * v + c1 * s;
            }
            out[c] = v;
        }
        __syncthreads();
    }
}
