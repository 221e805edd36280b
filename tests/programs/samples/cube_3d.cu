// Memory of three dimensions: cudaMalloc3D, a kernel that walks slices, copies of a box.
#include "check.h"

#include <vector>

__global__ void twice(cudaPitchedPtr p, cudaExtent extent) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = threadIdx.y, z = blockIdx.y;
    if (x < int(extent.width / sizeof(float)) && y < int(extent.height)) {
        char *slice = (char *)p.ptr + z * p.pitch * extent.height;
        ((float *)(slice + y * p.pitch))[x] *= 2;
    }
}

int main() {
    const int width = 40, height = 6, depth = 5;
    std::vector<float> h(width * height * depth), box(10 * 3 * 2, -1);
    for (size_t i = 0; i < h.size(); i++)
        h[i] = float(i);
    cudaExtent extent = make_cudaExtent(width * sizeof(float), height, depth);
    cudaPitchedPtr d;
    CHECK(cudaMalloc3D(&d, extent));
    CHECK(cudaMemset3D(d, 0, extent));
    cudaMemcpy3DParms up = {};
    up.srcPtr = make_cudaPitchedPtr(h.data(), width * sizeof(float), width, height);
    up.dstPtr = d;
    up.extent = extent;
    up.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&up));
    twice<<<dim3(2, depth), dim3(32, 8)>>>(d, extent);
    cudaMemcpy3DParms down = {};
    down.srcPtr = d;
    down.srcPos = make_cudaPos(4 * sizeof(float), 2, 3);
    down.dstPtr = make_cudaPitchedPtr(box.data(), 10 * sizeof(float), 10, 3);
    down.extent = make_cudaExtent(10 * sizeof(float), 3, 2);
    down.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&down));
    int wrong = 0;
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 10; x++)
                wrong += box[(z * 3 + y) * 10 + x] != 2.0f * (((z + 3) * height + y + 2) * width + x + 4);
    printf("pitch %zu, rows %zu, %d wrong, first %g\n", d.pitch, d.ysize, wrong, box[0]);
    CHECK(cudaFree(d.ptr));
    return wrong;
}
