// Mended, but the differences are kept in bytes, where 10 - 20 is 246.
__global__ void find_edges(const unsigned char *image, int *edges, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int here = image[y * width + x];
    unsigned char right = x + 1 < width ? image[y * width + x + 1] : here;
    unsigned char below = y + 1 < height ? image[(y + 1) * width + x] : here;
    edges[y * width + x] = (unsigned char)(right - here) + (unsigned char)(below - here);
}
