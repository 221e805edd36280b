// Lays out what a convolution of 3 x 3 needs, so that it becomes a product of matrices: for each plane of
// 28 x 28 nine planes, each moved by one of the filter's places, with zeros from outside. A thread an element.
__global__ void lay_out(const float *in, float *out, int planes)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = i % 28, y = i / 28 % 28, place = i / 784 % 9, plane = i / (784 * 9);
    if (plane >= planes)
        return;
    int from_x = x + place % 3 - 1, from_y = y + place / 3 - 1;
    bool inside = from_x >= 0 && from_x < 28 && from_y >= 0 && from_y < 28;
    out[i] = inside ? in[plane * 784 + from_y * 28 + from_x] : 0.0f;
}
