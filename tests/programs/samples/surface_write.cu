// A kernel writes a surface, another reads the same array as a texture; volumes likewise.
#include "check.h"

__global__ void draw(cudaSurfaceObject_t surface, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        surf2Dwrite(make_uchar4(x, y, x + y, 255), surface, x * sizeof(uchar4), y);
}

__global__ void invert(cudaSurfaceObject_t surface, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        uchar4 c = surf2Dread<uchar4>(surface, x * sizeof(uchar4), y);
        surf2Dwrite(make_uchar4(255 - c.x, 255 - c.y, 255 - c.z, c.w), surface, x * sizeof(uchar4), y);
    }
}

__global__ void sample(cudaTextureObject_t texture, float4 *out, int n) {
    int i = threadIdx.x;
    if (i < n)
        out[i] = tex2D<float4>(texture, 2 * i + 0.5f, i + 0.5f);
}

int main() {
    const int width = 32, height = 16, n = 8;
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    CHECK(cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface;
    cudaTextureObject_t texture;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    cudaTextureDesc description = {};
    description.readMode = cudaReadModeNormalizedFloat;
    description.filterMode = cudaFilterModePoint;
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeBorder;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, NULL));
    draw<<<dim3(2, 2), dim3(16, 8)>>>(surface, width, height);
    invert<<<dim3(2, 2), dim3(16, 8)>>>(surface, width, height);
    float4 *d, h[n];
    CHECK(cudaMalloc(&d, sizeof h));
    sample<<<1, 32>>>(texture, d, n);
    CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    for (int i : {0, 1, 7})
        printf("%.6f %.6f %.6f %.6f\n", h[i].x, h[i].y, h[i].z, h[i].w);
    uchar4 pixels[width * height];
    CHECK(cudaMemcpy2DFromArray(pixels, width * sizeof(uchar4), array, 0, 0, width * sizeof(uchar4), height, cudaMemcpyDeviceToHost));
    printf("checksum %016llx\n", checksum(pixels, sizeof pixels));
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaDestroySurfaceObject(surface));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(d));
}
