// The set as characters: as many iterations as a point takes, so that lanes of a warp part.
#include "check.h"

__global__ void mandelbrot(unsigned char *picture, int width, int height, int limit) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    double cr = -2.0 + 2.75 * x / width, ci = -1.125 + 2.25 * y / height, zr = 0, zi = 0;
    int n = 0;
    while (n < limit && zr * zr + zi * zi < 4.0) {
        double t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
        n++;
    }
    picture[y * width + x] = n == limit ? 255 : n;
}

int main() {
    const int width = 72, height = 30;
    static unsigned char picture[width * height];
    unsigned char *d_picture;
    CHECK(cudaMalloc(&d_picture, sizeof picture));
    dim3 block(16, 8), grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    mandelbrot<<<grid, block>>>(d_picture, width, height, 200);
    CHECK(cudaMemcpy(picture, d_picture, sizeof picture, cudaMemcpyDeviceToHost));
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            unsigned char n = picture[y * width + x];
            putchar(n == 255 ? '#' : n > 20 ? '+' : n > 8 ? '-' : n > 4 ? '.' : ' ');
        }
        putchar('\n');
    }
    CHECK(cudaFree(d_picture));
}
