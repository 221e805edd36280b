// Four neighbouring cells a thread with 16-byte accesses, and a walk down PLANES planes with the
// cells above, in the middle and below in registers, so that a plane is read once for all three.
// The cells to the left and right come from the neighbouring lanes; the rows before and behind are
// read again, which the L1 cache serves. No shared memory and no barrier: the warps need not wait
// for one another. Where rows do not start at multiples of 16 bytes, the cells go one by one.
#define PLANES 4
#define ALL    0xffffffffu

__device__ static void one_by_one(const float *in, float *out, int nx, int ny, int nz, float c0,
                                  float c1, int x, int y, int z)
{
    size_t row = nx, plane = row * ny, i = z * plane + y * row + x;
    for (int end = min(x + 4, nx); x < end; x++, i++) {
        if (x == 0 || y == 0 || z == 0 || x == nx - 1 || y == ny - 1 || z == nz - 1)
            out[i] = in[i];
        else
            out[i] = c0 * in[i] + c1 * (in[i - 1] + in[i + 1] + in[i - row] + in[i + row] +
                                        in[i - plane] + in[i + plane]);
    }
}

__device__ static float4 load(const float *in, size_t i, bool there)
{
    return there ? *reinterpret_cast<const float4 *>(in + i) : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
}

__global__ void __launch_bounds__(256)
    stencil(const float *__restrict__ in, float *__restrict__ out, int nx, int ny, int nz, float c0,
            float c1)
{
    int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int first = blockIdx.z * PLANES, end = min(first + PLANES, nz);
    if (y >= ny)
        return;
    if (nx % 4) {
        for (int z = first; z < end; z++)
            one_by_one(in, out, nx, ny, nz, c0, c1, x, y, z);
        return;
    }
    bool inside = x < nx, edge = y == 0 || y == ny - 1;
    bool from_left = threadIdx.x == 0 && x > 0 && inside;
    bool from_right = threadIdx.x == 31 && x + 4 < nx;
    size_t plane = (size_t)nx * ny, i = first * plane + (size_t)y * nx + x;
    float4 above = load(in, i - plane, inside && first > 0);
    float4 middle = load(in, i, inside);
#pragma unroll
    for (int z = first; z < end; z++, i += plane) {
        float4 below = load(in, i + plane, inside && z + 1 < nz);
        float4 north = load(in, i - nx, inside && !edge), south = load(in, i + nx, inside && !edge);
        float west = __shfl_up_sync(ALL, middle.w, 1), east = __shfl_down_sync(ALL, middle.x, 1);
        if (from_left)
            west = in[i - 1];
        if (from_right)
            east = in[i + 4];
        float4 v = middle;
        if (!edge && z > 0 && z < nz - 1) {
            v.x = c0 * v.x + c1 * (west + middle.y + north.x + south.x + above.x + below.x);
            v.y = c0 * v.y + c1 * (middle.x + middle.z + north.y + south.y + above.y + below.y);
            v.z = c0 * v.z + c1 * (middle.y + middle.w + north.z + south.z + above.z + below.z);
            v.w = c0 * v.w + c1 * (middle.z + east + north.w + south.w + above.w + below.w);
            v.x = x == 0 ? middle.x : v.x;
            v.w = x + 4 == nx ? middle.w : v.w;
        }
        if (inside)
            *reinterpret_cast<float4 *>(out + i) = v;
        above = middle;
        middle = below;
    }
}
