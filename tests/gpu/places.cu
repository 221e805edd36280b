// What device memory takes of copies, loads and stores in pieces of 32 bytes to 2 KiB: pieces that
// follow one another are read, or stored, where a transposition puts them, a row of so many bytes
// apart, or side by side. A program of its own: nvcc -O3 -std=c++17 -arch=sm_90 -o places places.cu
// && ./places. What an H200 said stands in tests/bench/model/MEMORY.md.
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>
// P: a piece's words of 16 bytes
template <int P, bool LOAD, bool STORE>
__global__ void __launch_bounds__(256) move(const float4 *in, float4 *out, unsigned columns,
                                            unsigned rows, bool load_far, bool store_far) {
    size_t first = (size_t)blockIdx.x * 1024 + threadIdx.x;
    float4 v[4];
#pragma unroll
    for (int j = 0; j < 4; j++) {
        size_t at = first + j * 256, piece = at / P,
               far = (piece % columns) * rows + piece / columns;
        v[j] = LOAD ? in[(load_far ? far : piece) * P + at % P] : make_float4(j, j, j, j);
    }
    float sum = 0;
#pragma unroll
    for (int j = 0; j < 4; j++) {
        size_t at = first + j * 256, piece = at / P,
               far = (piece % columns) * rows + piece / columns;
        if (STORE)
            out[(store_far ? far : piece) * P + at % P] = v[j];
        else
            sum += v[j].x + v[j].y + v[j].z + v[j].w;
    }
    if (!STORE && sum == 1.2345f)
        out[0] = v[0];
}
// Tiles of 32 pieces of 128 bytes, one below the other: blocks go down `height` tiles before the
// next column of them.
template <bool LOAD>
__global__ void __launch_bounds__(256)
    strips(const float4 *in, float4 *out, unsigned row, unsigned height) {
    unsigned wide = row / 8, strip = blockIdx.x / (wide * height),
             within = blockIdx.x % (wide * height);
    unsigned x = within / height, y = strip * height + within % height, own = threadIdx.x / 8;
    size_t from = (size_t)blockIdx.x * 256 + threadIdx.x,
           to = (size_t)(y * 32 + own) * row + x * 8 + threadIdx.x % 8;
    out[to] = LOAD ? in[from] : make_float4(1, 2, 3, 4);
}
static float4 *in, *out;
static char *flush;
template <int P, bool LOAD, bool STORE>
static void time_of(size_t bytes, size_t row, bool load_far, bool store_far) {
    size_t words = bytes / 16;
    unsigned rows = row / (P * 16), columns = words / P / rows;
    std::vector<float> times;
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    for (int i = 0; i < 7; i++) {
        cudaMemsetAsync(flush, i, 128 << 20);
        cudaEventRecord(begin);
        move<P, LOAD, STORE><<<words / 1024, 256>>>(in, out, columns, rows, load_far, store_far);
        cudaEventRecord(end);
        cudaEventSynchronize(end);
        float ms;
        cudaEventElapsedTime(&ms, begin, end);
        times.push_back(ms * 1000);
    }
    std::sort(times.begin(), times.end());
    printf("%4zu MiB, rows of %7zu bytes, pieces of %4d:%s%s: %.1f us\n", bytes >> 20, row, P * 16,
           !LOAD      ? ""
           : load_far ? " loaded far"
                      : " loaded",
           !STORE      ? ""
           : store_far ? " stored far"
                       : " stored",
           times[3]);
}
template <bool LOAD> static void time_of_strips(unsigned row, unsigned height) {
    const size_t bytes = 256 << 20;
    std::vector<float> times;
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    for (int i = 0; i < 7; i++) {
        cudaMemsetAsync(flush, i, 128 << 20);
        cudaEventRecord(begin);
        strips<LOAD><<<bytes / 4096, 256>>>(in, out, row / 16, height);
        cudaEventRecord(end);
        cudaEventSynchronize(end);
        float ms;
        cudaEventElapsedTime(&ms, begin, end);
        times.push_back(ms * 1000);
    }
    std::sort(times.begin(), times.end());
    printf(
        "tiles in rows of %u bytes, the next one in its row %u blocks later:%s stored: %.1f us\n",
        row, height, LOAD ? " loaded and" : "", times[3]);
}
template <int P> static void pieces() {
    const size_t all = 256 << 20;
    for (size_t row : {8192, 32768, 65536, 1 << 20}) {
        time_of<P, true, true>(all, row, false, true);
        time_of<P, true, true>(all, row, true, false);
    }
    time_of<P, false, true>(all, 32768, false, true);
    time_of<P, false, true>(all, 32768, false, false);
    time_of<P, true, false>(all, 32768, true, false);
    time_of<P, true, false>(all, 32768, false, false);
    time_of<P, true, true>(all, 32768, false, false);
    time_of<P, true, true>(all, 32768, true, true);
    time_of<P, true, true>(64 << 20, 32768, false, true);
}
int main() {
    cudaMalloc(&in, 256 << 20);
    cudaMalloc(&out, 256 << 20);
    cudaMalloc(&flush, 128 << 20);
    pieces<2>(), pieces<4>(), pieces<8>(), pieces<16>(), pieces<32>(), pieces<128>();
    for (unsigned row : {8192, 32768})
        for (unsigned height : {1, 2, 4, 8, 16, 32, 64, 256})
            time_of_strips<true>(row, height), time_of_strips<false>(row, height);
    return cudaDeviceSynchronize() != cudaSuccess;
}
