// As columns, but the other way round: a thread lets what stands in its cell collide, and gives it to the
// neighbours. Edges are found by comparing.
__global__ void step(const float *in, float *out, int n, float rate)
{
    const int right[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, up[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    const float weights[9] = {4.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9,
                              1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    float f[9], density = 0.0f, u = 0.0f, v = 0.0f;
#pragma unroll
    for (int q = 0; q < 9; q++) {
        f[q] = weights[q] * (1.0f + 0.5f * in[(q * n + y) * n + x]);
        density += f[q];
        u += right[q] * f[q];
        v += up[q] * f[q];
    }
    float inverse = 1.0f / density;
    u *= inverse;
    v *= inverse;
#pragma unroll
    for (int q = 0; q < 9; q++) {
        float along = 3.0f * (right[q] * u + up[q] * v);
        float wanted = weights[q] * density * (1.0f + along + 0.5f * along * along - 1.5f * (u * u + v * v));
        int to_x = x + right[q], to_y = y + up[q];
        to_x = to_x < 0 ? n - 1 : to_x == n ? 0 : to_x;
        to_y = to_y < 0 ? n - 1 : to_y == n ? 0 : to_y;
        out[(q * n + to_y) * n + to_x] = f[q] + rate * (wanted - f[q]);
    }
}
