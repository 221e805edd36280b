// CUB's device-wide algorithms, and its parts for blocks and warps.
#include <cstdint>
#include <cstdio>
#include <cub/cub.cuh>
#include <vector>
#define CK(x)                                                                                      \
    do {                                                                                           \
        cudaError_t e = (x);                                                                       \
        if (e) {                                                                                   \
            printf("line %d: %s\n", __LINE__, cudaGetErrorName(e));                                \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)
template <class F> int with_temp(F f) {
    size_t n = 0;
    void *t = nullptr;
    CK(f(t, n));
    CK(cudaMalloc(&t, n ? n : 1));
    CK(f(t, n));
    CK(cudaDeviceSynchronize());
    CK(cudaFree(t));
    return 0;
}
struct Less {
    int c;
    __host__ __device__ bool operator()(int a) const {
        return a < c;
    }
};
__global__ void blockk(const int *in, int *out) {
    using BR = cub::BlockReduce<int, 128>;
    using BS = cub::BlockScan<int, 128>;
    using WR = cub::WarpReduce<int>;
    __shared__ union {
        BR::TempStorage r;
        BS::TempStorage s;
        WR::TempStorage w[4];
    } t;
    int v = in[threadIdx.x], p;
    int total = BR(t.r).Sum(v);
    __syncthreads();
    BS(t.s).ExclusiveSum(v, p);
    __syncthreads();
    int w = WR(t.w[threadIdx.x / 32]).Sum(v);
    out[threadIdx.x] = p + (threadIdx.x == 0 ? total : 0) + (threadIdx.x % 32 == 0 ? w : 0);
}
int main() {
    const int n = 10000;
    std::vector<int> h(n);
    for (int i = 0; i < n; i++)
        h[i] = (i * 7919) % 10007;
    int *in, *out, *num;
    uint32_t *k, *k2;
    CK(cudaMalloc(&in, n * 4));
    CK(cudaMalloc(&out, n * 4));
    CK(cudaMalloc(&num, 4));
    CK(cudaMalloc(&k, n * 4));
    CK(cudaMalloc(&k2, n * 4));
    CK(cudaMemcpy(in, h.data(), n * 4, cudaMemcpyHostToDevice));
    std::vector<int> r(n);
    if (with_temp([&](void *t, size_t &b) { return cub::DeviceReduce::Sum(t, b, in, out, n); }))
        return 1;
    CK(cudaMemcpy(r.data(), out, 4, cudaMemcpyDeviceToHost));
    printf("sum %d\n", r[0]);
    if (with_temp([&](void *t, size_t &b) { return cub::DeviceReduce::Max(t, b, in, out, n); }))
        return 1;
    CK(cudaMemcpy(r.data(), out, 4, cudaMemcpyDeviceToHost));
    printf("max %d\n", r[0]);
    if (with_temp(
            [&](void *t, size_t &b) { return cub::DeviceScan::InclusiveSum(t, b, in, out, n); }))
        return 1;
    CK(cudaMemcpy(r.data(), out, n * 4, cudaMemcpyDeviceToHost));
    printf("scan %d %d\n", r[5], r[n - 1]);
    if (with_temp(
            [&](void *t, size_t &b) { return cub::DeviceRadixSort::SortKeys(t, b, in, out, n); }))
        return 1;
    CK(cudaMemcpy(r.data(), out, n * 4, cudaMemcpyDeviceToHost));
    printf("sort %d %d %d\n", r[0], r[5000], r[n - 1]);
    {
        int *hist;
        CK(cudaMalloc(&hist, 16 * 4));
        if (with_temp([&](void *t, size_t &b) {
                return cub::DeviceHistogram::HistogramEven(t, b, in, hist, 17, 0, 10016, n);
            }))
            return 1;
        CK(cudaMemcpy(r.data(), hist, 64, cudaMemcpyDeviceToHost));
        printf("hist %d %d\n", r[0], r[15]);
    }
    if (with_temp([&](void *t, size_t &b) {
            return cub::DeviceSelect::If(t, b, in, out, num, n, Less{100});
        }))
        return 1;
    CK(cudaMemcpy(r.data(), num, 4, cudaMemcpyDeviceToHost));
    printf("select %d\n", r[0]);
    if (with_temp([&](void *t, size_t &b) {
            return cub::DeviceRunLengthEncode::Encode(t, b, in, out, (int *)k, num, n);
        }))
        return 1;
    CK(cudaMemcpy(r.data(), num, 4, cudaMemcpyDeviceToHost));
    printf("rle %d\n", r[0]);
    if (with_temp(
            [&](void *t, size_t &b) { return cub::DeviceSelect::Unique(t, b, in, out, num, n); }))
        return 1;
    CK(cudaMemcpy(r.data(), num, 4, cudaMemcpyDeviceToHost));
    printf("unique %d\n", r[0]);
    CK(cudaMemcpy(k, h.data(), n * 4, cudaMemcpyHostToDevice));
    if (with_temp([&](void *t, size_t &b) {
            return cub::DeviceRadixSort::SortPairsDescending(t, b, k, k2, in, out, n);
        }))
        return 1;
    CK(cudaMemcpy(r.data(), out, 4 * n, cudaMemcpyDeviceToHost));
    printf("pairs %d %d\n", r[0], r[n - 1]);
    blockk<<<1, 128>>>(in, out);
    CK(cudaDeviceSynchronize());
    CK(cudaMemcpy(r.data(), out, 512, cudaMemcpyDeviceToHost));
    printf("block %d %d\n", r[0], r[127]);
}
