// As plain, but a block copies its tile with its edges and its filter to shared memory.
__global__ void fold(const float *in, const float *filters, float *out, int planes)
{
    __shared__ float tile[18][18], filter[9];
    int left = blockIdx.x * 16 - 1, top = blockIdx.y * 16 - 1, plane = blockIdx.z;
    int thread = threadIdx.y * 16 + threadIdx.x;
    for (int i = thread; i < 18 * 18; i += 256) {
        int x = left + i % 18, y = top + i / 18;
        tile[i / 18][i % 18] =
            x >= 0 && x < 112 && y >= 0 && y < 112 ? in[(size_t)plane * 12544 + y * 112 + x] : 0.0f;
    }
    if (thread < 9)
        filter[thread] = filters[plane * 9 + thread];
    __syncthreads();
    float total = 0.0f;
    for (int dy = 0; dy < 3; dy++)
        for (int dx = 0; dx < 3; dx++)
            total += filter[dy * 3 + dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
    out[(size_t)plane * 12544 + (top + 1 + threadIdx.y) * 112 + left + 1 + threadIdx.x] = total;
}
