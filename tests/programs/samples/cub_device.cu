// CUB: sums, scans, sorting, selection and histograms of the whole device, with temporary storage.
#include "check.h"

#include <cub/cub.cuh>
#include <vector>

template <typename F> void twice(F call) {
    void *temporary = NULL;
    size_t bytes = 0;
    CHECK(call(temporary, bytes));
    CHECK(cudaMalloc(&temporary, bytes));
    CHECK(call(temporary, bytes));
    CHECK(cudaFree(temporary));
}

struct Below {
    int limit;
    __host__ __device__ bool operator()(int x) const { return x < limit; }
};

int main() {
    const int n = 3000;
    std::vector<int> h(n), out(n);
    Random random(13);
    for (int &x : h)
        x = random.below(1000);
    int *d_in, *d_out, *d_count, count = 0;
    CHECK(cudaMalloc(&d_in, n * sizeof(int)));
    CHECK(cudaMalloc(&d_out, n * sizeof(int)));
    CHECK(cudaMalloc(&d_count, 10 * sizeof(int)));
    CHECK(cudaMemcpy(d_in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    twice([&](void *t, size_t &b) { return cub::DeviceReduce::Sum(t, b, d_in, d_count, n); });
    CHECK(cudaMemcpy(&count, d_count, sizeof(int), cudaMemcpyDeviceToHost));
    printf("sum %d\n", count);
    twice([&](void *t, size_t &b) { return cub::DeviceScan::ExclusiveSum(t, b, d_in, d_out, n); });
    CHECK(cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost));
    printf("scan: last %d\n", out[n - 1]);
    twice([&](void *t, size_t &b) { return cub::DeviceRadixSort::SortKeys(t, b, d_in, d_out, n); });
    CHECK(cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost));
    printf("sorted: %d %d %d\n", out[0], out[n / 2], out[n - 1]);
    twice([&](void *t, size_t &b) { return cub::DeviceSelect::If(t, b, d_in, d_out, d_count, n, Below{100}); });
    CHECK(cudaMemcpy(&count, d_count, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost));
    printf("selected %d, the first %d\n", count, out[0]);
    int bins[5];
    twice([&](void *t, size_t &b) { return cub::DeviceHistogram::HistogramEven(t, b, d_in, d_count, 6, 0, 1000, n); });
    CHECK(cudaMemcpy(bins, d_count, sizeof bins, cudaMemcpyDeviceToHost));
    printf("bins %d %d %d %d %d\n", bins[0], bins[1], bins[2], bins[3], bins[4]);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    CHECK(cudaFree(d_count));
}
