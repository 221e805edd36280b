// warpgrade: fix-off-by-one
// The first thread without a pixel leaves, too.
__global__ void find_edges(const unsigned char *image, int *edges, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int here = image[y * width + x];
    int right = x + 1 < width ? image[y * width + x + 1] : here;
    int below = y + 1 < height ? image[(y + 1) * width + x] : here;
    edges[y * width + x] = abs(right - here) + abs(below - here);
}
