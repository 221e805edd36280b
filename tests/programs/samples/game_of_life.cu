// A glider on a torus: two fields that change places at each step, halo cells in shared memory.
#include "check.h"

#include <algorithm>
#include <vector>

const int TILE = 16;

__global__ void step(const unsigned char *now, unsigned char *then, int width, int height) {
    __shared__ unsigned char s[TILE + 2][TILE + 2];
    int bx = blockIdx.x * TILE, by = blockIdx.y * TILE;
    for (int k = threadIdx.y * TILE + threadIdx.x; k < (TILE + 2) * (TILE + 2); k += TILE * TILE) {
        int y = k / (TILE + 2), x = k % (TILE + 2);
        s[y][x] = now[(by + y - 1 + height) % height * width + (bx + x - 1 + width) % width];
    }
    __syncthreads();
    int x = threadIdx.x + 1, y = threadIdx.y + 1;
    int around = s[y - 1][x - 1] + s[y - 1][x] + s[y - 1][x + 1] + s[y][x - 1] + s[y][x + 1] + s[y + 1][x - 1] +
                 s[y + 1][x] + s[y + 1][x + 1];
    then[(by + y - 1) * width + bx + x - 1] = around == 3 || (around == 2 && s[y][x]);
}

int main() {
    const int width = 32, height = 32, steps = 60;
    std::vector<unsigned char> field(width * height);
    int glider[5][2] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
    for (auto &cell : glider)
        field[cell[1] * width + cell[0]] = 1;
    unsigned char *d_now, *d_then;
    CHECK(cudaMalloc(&d_now, field.size()));
    CHECK(cudaMalloc(&d_then, field.size()));
    CHECK(cudaMemcpy(d_now, field.data(), field.size(), cudaMemcpyHostToDevice));
    for (int i = 0; i < steps; i++) {
        step<<<dim3(width / TILE, height / TILE), dim3(TILE, TILE)>>>(d_now, d_then, width, height);
        std::swap(d_now, d_then);
    }
    CHECK(cudaMemcpy(field.data(), d_now, field.size(), cudaMemcpyDeviceToHost));
    printf("after %d steps:\n", steps);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            if (field[y * width + x])
                printf("%d,%d\n", x, y);
    CHECK(cudaFree(d_now));
    CHECK(cudaFree(d_then));
}
