// As one_index, but a thread makes four elements of a row, which it writes at once, of six that it reads.
__global__ void lay_out(const float *in, float4 *out, int planes)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = i % 7 * 4, y = i / 7 % 28, plane = i / 196;
    if (plane >= planes)
        return;
    for (int dy = 0; dy < 3; dy++) {
        int from_y = y + dy - 1;
        float4 own = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        float left = 0.0f, right = 0.0f;
        if (from_y >= 0 && from_y < 28) {
            const float *row = in + plane * 784 + from_y * 28;
            own = *(const float4 *)(row + x);
            left = x > 0 ? row[x - 1] : 0.0f;
            right = x < 24 ? row[x + 4] : 0.0f;
        }
        float4 *to = out + ((size_t)plane * 9 + dy * 3) * 196 + y * 7 + x / 4;
        to[0] = make_float4(left, own.x, own.y, own.z);
        to[196] = own;
        to[392] = make_float4(own.y, own.z, own.w, right);
    }
}
