// As records, but a block copies the spheres to shared memory, with their radius made, and reads sixteen
// bytes of them at a time.
__global__ void draw(const float4 *spheres, unsigned *picture, int n, int count)
{
    extern __shared__ float4 sphere[];
    for (int i = threadIdx.y * blockDim.x + threadIdx.x; i < count; i += blockDim.x * blockDim.y) {
        float4 own = spheres[i];
        own.w = 0.05f + 0.1f * fabsf(own.w);
        sphere[i] = own;
    }
    __syncthreads();
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    float u = (x + 0.5f) * 2.0f / n - 1.0f, v = (y + 0.5f) * 2.0f / n - 1.0f, nearest = -1e30f, shade = 0.0f;
    int seen = 0;
    for (int i = 0; i < count; i++) {
        float4 own = sphere[i];
        float dx = u - own.x, dy = v - own.y, rest = own.w * own.w - dx * dx - dy * dy;
        if (rest > 0.0f) {
            float height = sqrtf(rest);
            if (height + own.z > nearest) {
                nearest = height + own.z;
                shade = height / own.w;
                seen = i + 1;
            }
        }
    }
    picture[y * n + x] = seen << 8 | (unsigned)(255.0f * shade);
}
