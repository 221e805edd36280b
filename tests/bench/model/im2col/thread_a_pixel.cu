// As one_index, but a thread has a pixel of a plane and writes its nine elements.
__global__ void lay_out(const float *in, float *out, int planes)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = i % 28, y = i / 28 % 28, plane = i / 784;
    if (plane >= planes)
        return;
    float *to = out + (size_t)plane * 7056 + y * 28 + x;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            bool inside = x + dx >= 0 && x + dx < 28 && y + dy >= 0 && y + dy < 28;
            *to = inside ? in[plane * 784 + (y + dy) * 28 + x + dx] : 0.0f;
            to += 784;
        }
}
