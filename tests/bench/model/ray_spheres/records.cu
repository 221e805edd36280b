// A picture of spheres, seen from afar: a thread a pixel asks each sphere whether its ray meets it, and takes
// the nearest. A sphere's place and radius stand side by side. The pixel says which sphere, and how much it
// faces the eye.
__global__ void draw(const float *spheres, unsigned *picture, int n, int count)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    float u = (x + 0.5f) * 2.0f / n - 1.0f, v = (y + 0.5f) * 2.0f / n - 1.0f, nearest = -1e30f, shade = 0.0f;
    int seen = 0;
    for (int i = 0; i < count; i++) {
        float dx = u - spheres[4 * i], dy = v - spheres[4 * i + 1];
        float radius = 0.05f + 0.1f * fabsf(spheres[4 * i + 3]);
        float rest = radius * radius - dx * dx - dy * dy;
        if (rest > 0.0f) {
            float height = sqrtf(rest);
            if (height + spheres[4 * i + 2] > nearest) {
                nearest = height + spheres[4 * i + 2];
                shade = height / radius;
                seen = i + 1;
            }
        }
    }
    picture[y * n + x] = seen << 8 | (unsigned)(255.0f * shade);
}
