// Four ways to transpose a matrix: copy for comparison, naive, tiles, tiles without bank conflicts.
#include "check.h"

#include <vector>

const int TILE = 32, ROWS = 8;

__global__ void copy(float *out, const float *in, int width, int height) {
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        out[(y + j) * width + x] = in[(y + j) * width + x];
}

__global__ void naive(float *out, const float *in, int width, int height) {
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        out[x * height + y + j] = in[(y + j) * width + x];
}

template <int PAD> __global__ void tiled(float *out, const float *in, int width, int height) {
    __shared__ float tile[TILE][TILE + PAD];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main() {
    const int width = 128, height = 96;
    std::vector<float> in(width * height), out(width * height);
    for (int i = 0; i < width * height; i++)
        in[i] = float(i);
    float *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, in.size() * sizeof(float)));
    CHECK(cudaMalloc(&d_out, out.size() * sizeof(float)));
    CHECK(cudaMemcpy(d_in, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice));
    struct {
        const char *name;
        void (*kernel)(float *, const float *, int, int);
        bool transposes;
    } ways[] = {{"copy", copy, false}, {"naive", naive, true}, {"tiled", tiled<0>, true}, {"padded", tiled<1>, true}};
    for (auto &way : ways) {
        CHECK(cudaMemset(d_out, 0, out.size() * sizeof(float)));
        way.kernel<<<dim3(width / TILE, height / TILE), dim3(TILE, ROWS)>>>(d_out, d_in, width, height);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(out.data(), d_out, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
        int wrong = 0;
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                wrong += (way.transposes ? out[x * height + y] : out[y * width + x]) != in[y * width + x];
        printf("%-6s %d wrong\n", way.name, wrong);
    }
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
}
