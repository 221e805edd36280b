// Rows, then columns, with the filter in constant memory and a halo in shared memory.
#include "check.h"

#include <vector>

const int RADIUS = 4, TILE = 32, ROWS = 8;

__constant__ float filter[2 * RADIUS + 1];

__global__ void rows(float *out, const float *in, int width) {
    __shared__ float s[ROWS][TILE + 2 * RADIUS];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * ROWS + threadIdx.y;
    for (int k = threadIdx.x; k < TILE + 2 * RADIUS; k += TILE) {
        int column = int(blockIdx.x * TILE) + k - RADIUS;
        s[threadIdx.y][k] = column >= 0 && column < width ? in[y * width + column] : 0;
    }
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = -RADIUS; k <= RADIUS; k++)
        sum += filter[RADIUS - k] * s[threadIdx.y][threadIdx.x + RADIUS + k];
    out[y * width + x] = sum;
}

__global__ void columns(float *out, const float *in, int width, int height) {
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * ROWS + threadIdx.y;
    float sum = 0;
    for (int k = -RADIUS; k <= RADIUS; k++)
        if (y + k >= 0 && y + k < height)
            sum += filter[RADIUS - k] * in[(y + k) * width + x];
    out[y * width + x] = sum;
}

int main() {
    const int width = 96, height = 64;
    float weights[2 * RADIUS + 1];
    std::vector<float> in(width * height), out(width * height);
    Random random(2009);
    for (float &w : weights)
        w = random.uniform();
    for (float &x : in)
        x = random.uniform();
    float *d_in, *d_middle, *d_out;
    size_t bytes = in.size() * sizeof(float);
    CHECK(cudaMalloc(&d_in, bytes));
    CHECK(cudaMalloc(&d_middle, bytes));
    CHECK(cudaMalloc(&d_out, bytes));
    CHECK(cudaMemcpyToSymbol(filter, weights, sizeof weights));
    CHECK(cudaMemcpy(d_in, in.data(), bytes, cudaMemcpyHostToDevice));
    dim3 grid(width / TILE, height / ROWS), block(TILE, ROWS);
    rows<<<grid, block>>>(d_middle, d_in, width);
    columns<<<grid, block>>>(d_out, d_middle, width, height);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), d_out, bytes, cudaMemcpyDeviceToHost));
    double error = 0, norm = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            double sum = 0;
            for (int j = -RADIUS; j <= RADIUS; j++)
                for (int i = -RADIUS; i <= RADIUS; i++)
                    if (x + i >= 0 && x + i < width && y + j >= 0 && y + j < height)
                        sum += double(weights[RADIUS - i]) * weights[RADIUS - j] * in[(y + j) * width + x + i];
            error += (sum - out[y * width + x]) * (sum - out[y * width + x]);
            norm += sum * sum;
        }
    printf("relative L2 norm of the error: %s; corner %.5f\n", error / norm < 1e-12 ? "below 1e-6" : "TOO LARGE", out[0]);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_middle));
    CHECK(cudaFree(d_out));
}
