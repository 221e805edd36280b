// Rows with a pitch: copies of a part of a picture up, within the card, and down.
#include "check.h"

#include <vector>

__global__ void brighten(unsigned char *picture, size_t pitch, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        picture[y * pitch + x] += 100;
}

int main() {
    const int width = 70, height = 20, part = 30;
    std::vector<unsigned char> h(width * height), back(part * height, 0);
    for (int i = 0; i < width * height; i++)
        h[i] = (unsigned char)(i % 100);
    unsigned char *a, *b;
    size_t pitch_a, pitch_b;
    CHECK(cudaMallocPitch(&a, &pitch_a, width, height));
    CHECK(cudaMallocPitch(&b, &pitch_b, part, height));
    CHECK(cudaMemset2D(a, pitch_a, 7, width, height));
    CHECK(cudaMemcpy2D(a, pitch_a, h.data(), width, width, height - 2, cudaMemcpyHostToDevice));
    brighten<<<dim3(3, 2), dim3(32, 16)>>>(a, pitch_a, width, height);
    CHECK(cudaMemcpy2D(b, pitch_b, a + 5, pitch_a, part, height, cudaMemcpyDeviceToDevice));
    CHECK(cudaMemcpy2D(back.data(), part, b, pitch_b, part, height, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < part; x++)
            wrong += back[y * part + x] != (y < height - 2 ? h[y * width + x + 5] : 7) + 100;
    printf("pitch %zu and %zu, %d wrong\n", pitch_a, pitch_b, wrong);
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    return wrong;
}
