// Right, but neighbouring threads work on pixels below each other.
__global__ void find_edges(const unsigned char *image, int *edges, int width, int height)
{
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    int x = blockIdx.x * blockDim.x + t / blockDim.y;
    int y = blockIdx.y * blockDim.y + t % blockDim.y;
    if (x >= width || y >= height)
        return;
    int here = image[y * width + x];
    int right = x + 1 < width ? image[y * width + x + 1] : here;
    int below = y + 1 < height ? image[(y + 1) * width + x] : here;
    edges[y * width + x] = abs(right - here) + abs(below - here);
}
