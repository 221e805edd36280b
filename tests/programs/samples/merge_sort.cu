// Merges runs of doubling length; each element finds its place by binary search in the other run.
#include "check.h"

#include <algorithm>
#include <vector>

template <typename T> __device__ int place(const T *run, int length, T value, bool after_equal) {
    int low = 0, high = length;
    while (low < high) {
        int middle = (low + high) / 2;
        if (run[middle] < value || (after_equal && run[middle] == value))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

template <typename T> __global__ void merge(const T *in, T *out, int n, int run) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int pair = i / (2 * run) * 2 * run, first_end = min(pair + run, n), second_end = min(pair + 2 * run, n);
    bool first = i < first_end;
    const T *other = in + (first ? first_end : pair);
    int length = first ? second_end - first_end : first_end - pair;
    int rank = i - (first ? pair : first_end);
    out[pair + rank + place(other, length, in[i], !first)] = in[i];
}

template <typename T> void sort(const char *name, int n) {
    std::vector<T> values(n);
    Random random(n);
    for (T &v : values)
        v = T(random.below(1000)) / T(8);
    T *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, n * sizeof(T)));
    CHECK(cudaMalloc(&d_out, n * sizeof(T)));
    CHECK(cudaMemcpy(d_in, values.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    for (int run = 1; run < n; run *= 2) {
        merge<T><<<(n + 127) / 128, 128>>>(d_in, d_out, n, run);
        std::swap(d_in, d_out);
    }
    std::vector<T> result(n);
    CHECK(cudaMemcpy(result.data(), d_in, n * sizeof(T), cudaMemcpyDeviceToHost));
    std::sort(values.begin(), values.end());
    printf("%s, %d elements: %s, median %g\n", name, n, values == result ? "sorted" : "NOT sorted",
           double(result[n / 2]));
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
}

int main() {
    sort<float>("float", 1000);
    sort<double>("double", 2049);
    sort<short>("short", 777);
}
