// A box blur of a picture in a texture, clamped at its border, and a picture turned by sampling.
#include "check.h"

#include <vector>

__global__ void blur(cudaTextureObject_t picture, float *out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += tex2D<float>(picture, x + dx + 0.5f, y + dy + 0.5f);
    out[y * width + x] = sum;
}

__global__ void half_size(cudaTextureObject_t picture, float *out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[y * width + x] = tex2D<float>(picture, (x + 0.5f) / width, (y + 0.5f) / height);
}

int main() {
    const int width = 64, height = 48;
    std::vector<float> in(width * height), out(width * height);
    for (int i = 0; i < width * height; i++)
        in[i] = float(i * 37 % 64);
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocArray(&array, &format, width, height));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, in.data(), width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description = {};
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    description.filterMode = cudaFilterModePoint;
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t point, linear;
    CHECK(cudaCreateTextureObject(&point, &resource, &description, NULL));
    description.filterMode = cudaFilterModeLinear;
    description.normalizedCoords = 1;
    CHECK(cudaCreateTextureObject(&linear, &resource, &description, NULL));
    float *d_out;
    CHECK(cudaMalloc(&d_out, out.size() * sizeof(float)));
    blur<<<dim3(4, 6), dim3(16, 8)>>>(point, d_out, width, height);
    CHECK(cudaMemcpy(out.data(), d_out, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            float sum = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    sum += in[min(max(y + dy, 0), height - 1) * width + min(max(x + dx, 0), width - 1)];
            wrong += out[y * width + x] != sum;
        }
    printf("blur: %d wrong\n", wrong);
    half_size<<<dim3(2, 3), dim3(16, 8)>>>(linear, d_out, width / 2, height / 2);
    CHECK(cudaMemcpy(out.data(), d_out, out.size() / 4 * sizeof(float), cudaMemcpyDeviceToHost));
    printf("half: %g %g %g\n", out[0], out[100], out[width * height / 4 - 1]);
    CHECK(cudaDestroyTextureObject(point));
    CHECK(cudaDestroyTextureObject(linear));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(d_out));
    return wrong;
}
