// What calls and copies of a program cost beside what they ask for: the best of many batches, so that other
// work on the machine counts little. Each line is a name, a figure and its unit.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
static void check(cudaError_t error) {
    if (error != cudaSuccess) {
        std::printf("%s\n", cudaGetErrorName(error));
        std::exit(3);
    }
}

// Seconds of one `act`, of the best batch.
template <class Act> static double best(int batches, int each, Act act) {
    double least = 1e9;
    for (int i = 0; i < batches; i++) {
        double begun = now();
        for (int k = 0; k < each; k++)
            act();
        least = std::min(least, (now() - begun) / each);
    }
    return least;
}

static void say_us(const char *what, double seconds) { std::printf("%-44s %8.1f us\n", what, seconds * 1e6); }
static void say_rate(const char *what, size_t bytes, double seconds) {
    std::printf("%-44s %8.2f GB/s\n", what, (double)bytes / seconds / 1e9);
}

__global__ void nothing() {}

int main() {
    const size_t bytes = 64 << 20;
    char *small, *large, *fresh, *pinned;
    std::vector<char> host(bytes, 1);
    int flags;
    double begun = now();
    check(cudaFree(0));
    say_us("the first call", now() - begun);
    check(cudaMalloc(&small, 4096));
    say_us("a call: cudaMemset of 4 bytes", best(100, 50, [&] { check(cudaMemset(small, 0, 4)); }));
    say_us("a call: cudaDeviceSynchronize", best(100, 50, [&] { check(cudaDeviceSynchronize()); }));
    say_us("no call of the card: cudaGetDeviceFlags", best(100, 50, [&] { check(cudaGetDeviceFlags((unsigned *)&flags)); }));
    say_us("a copy of 4 bytes to the card", best(100, 50, [&] { check(cudaMemcpy(small, host.data(), 4, cudaMemcpyHostToDevice)); }));
    say_us("a copy of 4 bytes from the card", best(100, 50, [&] { check(cudaMemcpy(host.data(), small, 4, cudaMemcpyDeviceToHost)); }));
    say_us("cudaMalloc and cudaFree of 4 KiB", best(50, 20, [&] {
               void *p;
               check(cudaMalloc(&p, 4096));
               check(cudaFree(p));
           }));
    say_us("a launch of an empty kernel", best(20, 10, [&] {
               nothing<<<1, 32>>>();
               check(cudaGetLastError());
           }));
    check(cudaMalloc(&large, bytes));
    check(cudaMemcpy(large, host.data(), bytes, cudaMemcpyHostToDevice));
    say_rate("copies to the card", bytes, best(10, 1, [&] { check(cudaMemcpy(large, host.data(), bytes, cudaMemcpyHostToDevice)); }));
    say_rate("copies from the card", bytes, best(10, 1, [&] { check(cudaMemcpy(host.data(), large, bytes, cudaMemcpyDeviceToHost)); }));
    check(cudaMallocHost(&pinned, bytes));
    std::memset(pinned, 1, bytes);
    say_rate("copies to the card from pinned memory", bytes, best(10, 1, [&] { check(cudaMemcpy(large, pinned, bytes, cudaMemcpyHostToDevice)); }));
    // Memory that nobody has touched: the system makes its pages, zeroed, when that is done.
    double first = 1e9, malloc_seconds = 1e9, floor = 1e9;
    for (int i = 0; i < 5; i++) {
        begun = now();
        check(cudaMalloc(&fresh, bytes));
        malloc_seconds = std::min(malloc_seconds, now() - begun);
        begun = now();
        check(cudaMemcpy(fresh, host.data(), bytes, cudaMemcpyHostToDevice));
        first = std::min(first, now() - begun);
        check(cudaFree(fresh));
        begun = now();
        char *own = (char *)std::malloc(bytes);
        std::memcpy(own, host.data(), bytes);
        floor = std::min(floor, now() - begun);
        std::free(own);
    }
    say_rate("the first copy into new memory", bytes, first);
    say_us("cudaMalloc of 64 MiB", malloc_seconds);
    say_rate("beside it: memcpy into new memory", bytes, floor);
    check(cudaFreeHost(pinned));
    check(cudaFree(large));
    check(cudaFree(small));
}
