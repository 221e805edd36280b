// Four columns a thread with 16-byte accesses, which the padding keeps aligned in every row. The
// group of four in which a row ends goes element by element, as the padding must stay as it is.
__global__ void scale_rows(float *__restrict__ a, const float *__restrict__ s, int width,
                           int height)
{
    int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int pitch = (width + 31) / 32 * 32;
    float *row = a + y * pitch;
    float factor = s[y];
    if (x + 3 < width) {
        float4 v = *reinterpret_cast<float4 *>(row + x);
        *reinterpret_cast<float4 *>(row + x) =
            make_float4(factor * v.x, factor * v.y, factor * v.z, factor * v.w);
    } else {
        for (; x < width; x++)
            row[x] *= factor;
    }
}
