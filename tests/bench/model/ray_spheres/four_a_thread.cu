// As records, but a thread has four neighbouring pixels, and reads a sphere's sixteen bytes at once. n is a
// multiple of four.
__global__ void draw(const float4 *spheres, unsigned *picture, int n, int count)
{
    int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x), y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    float v = (y + 0.5f) * 2.0f / n - 1.0f, nearest[4], shade[4];
    int seen[4];
    for (int j = 0; j < 4; j++) {
        nearest[j] = -1e30f;
        shade[j] = 0.0f;
        seen[j] = 0;
    }
    for (int i = 0; i < count; i++) {
        float4 own = spheres[i];
        float dy = v - own.y, radius = 0.05f + 0.1f * fabsf(own.w);
        float in_row = radius * radius - dy * dy;
        if (in_row <= 0.0f)
            continue;
#pragma unroll
        for (int j = 0; j < 4; j++) {
            float dx = (x + j + 0.5f) * 2.0f / n - 1.0f - own.x, rest = in_row - dx * dx;
            float height = sqrtf(fmaxf(rest, 0.0f));
            if (rest > 0.0f && height + own.z > nearest[j]) {
                nearest[j] = height + own.z;
                shade[j] = height / radius;
                seen[j] = i + 1;
            }
        }
    }
    *(uint4 *)&picture[y * n + x] =
        make_uint4(seen[0] << 8 | (unsigned)(255.0f * shade[0]), seen[1] << 8 | (unsigned)(255.0f * shade[1]),
                   seen[2] << 8 | (unsigned)(255.0f * shade[2]), seen[3] << 8 | (unsigned)(255.0f * shade[3]));
}
