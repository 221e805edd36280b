// Edges of a picture of bytes that the program draws, printed as a small map.
#include "check.h"

#include <vector>

__global__ void sobel(const uchar1 *in, uchar1 *out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    auto at = [=](int dx, int dy) {
        int cx = min(max(x + dx, 0), width - 1), cy = min(max(y + dy, 0), height - 1);
        return int(in[cy * width + cx].x);
    };
    int gx = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1);
    int gy = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1);
    out[y * width + x] = make_uchar1((unsigned char)min(255, abs(gx) + abs(gy)));
}

int main() {
    const int width = 60, height = 26;
    std::vector<uchar1> picture(width * height), edges(width * height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int dx = x - 30, dy = 2 * (y - 13);
            picture[y * width + x].x = dx * dx + dy * dy < 400 ? 200 : x > 50 ? 120 : 40;
        }
    uchar1 *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, width * height));
    CHECK(cudaMalloc(&d_out, width * height));
    CHECK(cudaMemcpy(d_in, picture.data(), width * height, cudaMemcpyHostToDevice));
    sobel<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(d_in, d_out, width, height);
    CHECK(cudaMemcpy(edges.data(), d_out, width * height, cudaMemcpyDeviceToHost));
    for (int y = 0; y < height; y++, putchar('\n'))
        for (int x = 0; x < width; x++)
            putchar(edges[y * width + x].x > 200 ? '#' : edges[y * width + x].x > 100 ? '+' : '.');
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
}
