// warpgrade: fix-off-by-one
//
// edges[y][x] = |image[y][x + 1] - image[y][x]| + |image[y + 1][x] - image[y][x]|
// for every pixel; a difference whose other pixel lies outside of the image is 0.
// Launched with a thread a pixel, in blocks of 32 x 8, one at least:
//     find_edges<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(image, edges, width,
//                                                                            height);
//
// This kernel has one mistake, made twice. Find it with `warpgrade grade fix-off-by-one.cu`, and
// mend it.

__global__ void find_edges(const unsigned char *image, int *edges, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > width || y > height)
        return;
    int here = image[y * width + x];
    int right = x + 1 < width ? image[y * width + x + 1] : here;
    int below = y + 1 < height ? image[(y + 1) * width + x] : here;
    edges[y * width + x] = abs(right - here) + abs(below - here);
}
