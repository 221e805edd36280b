// Sixteen pixels a thread with 16-byte accesses, through the image as one long row. Where all of
// them lie in one row, a multiplication serves two pixels: 255 * 256 fits into the half of a word.
// The others, at the ends of rows and of the image, go one by one.
__device__ static int row_factor(int y, int height)
{
    return 256 * (height - y) / height;
}

__device__ static unsigned fade_four(unsigned pixels, unsigned factor)
{
    unsigned even = ((pixels & 0x00ff00ffu) * factor >> 8) & 0x00ff00ffu;
    unsigned odd = (pixels >> 8 & 0x00ff00ffu) * factor & 0xff00ff00u;
    return even | odd;
}

__global__ void fade(const unsigned char *__restrict__ in, unsigned char *__restrict__ out,
                     int width, int height)
{
    int first = ((blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x) * 16;
    int end = width * height;
    if (first >= end)
        return;
    int y = first / width, x = first - y * width;
    int factor = row_factor(y, height);
    if (x + 15 < width) {
        uint4 v = *reinterpret_cast<const uint4 *>(in + first);
        v = make_uint4(fade_four(v.x, factor), fade_four(v.y, factor), fade_four(v.z, factor),
                       fade_four(v.w, factor));
        *reinterpret_cast<uint4 *>(out + first) = v;
        return;
    }
    for (int i = first; i < end && i < first + 16; i++) {
        out[i] = in[i] * factor / 256;
        if (++x == width) {
            x = 0;
            y++;
            factor = row_factor(y, height);
        }
    }
}
