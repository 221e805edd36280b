// Calls and launches that fail, and whose error nothing looks at.
//
//  1 right                             a macro compares what each call returns
//  2 right                             returned to the caller, which compares it
//  3 right                             cudaGetLastError() after the launch
//  4 right                             cudaPeekAtLastError() after the launch
//  5 right                             nothing fails, nothing is looked at
//  6 right                             a failure that is expected, and cleared
//  7 right                             kept in a variable, compared later
//  8 right                             all errors are joined to one
//  9 right                             an event that is not done yet: no failure
// 10 right                             printed by its name
// 21 wrong unchecked-error warning     more memory than any card has
// 22 wrong unchecked-error warning     a block of 2048 threads
// 23 wrong unchecked-error warning     a grid of no blocks
// 24 wrong unchecked-error warning     more shared memory than a block has
// 25 wrong unchecked-error warning     a device that is not there
// 26 wrong unchecked-error warning     the time between events that were never recorded
// 27 wrong unchecked-error warning     looked at before the launch only
// 28 wrong unchecked-error warning     more dynamic shared memory than may be asked for
// 29 wrong unchecked-error warning     properties of a device that is not there
// 30 wrong unchecked-error warning     flags that no stream has
#include "cases.h"

static const size_t too_much = (size_t)1 << 50;

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error = (call);                                                                \
        if (error != cudaSuccess)                                                                  \
            printf("line %d: %s\n", __LINE__, cudaGetErrorString(error));                          \
    } while (0)

static void by_macro() {
    int *x = nullptr;
    CHECK(cudaMalloc(&x, too_much));
    CHECK(cudaSetDevice(7));
}

static __attribute__((noinline)) cudaError_t allocate(int **x) {
    return cudaMalloc(x, too_much);
}

static void by_caller() {
    int *x = nullptr;
    if (allocate(&x) != cudaSuccess)
        puts("too much");
}

static void after_the_launch() {
    int *x = device_ints();
    fill<<<1, N, 1 << 20>>>(x, 1);
    CHECK(cudaGetLastError());
    must(cudaFree(x));
}

static void peeked_at() {
    int *x = device_ints();
    fill<<<1, N, 1 << 20>>>(x, 1);
    CHECK(cudaPeekAtLastError());
    must(cudaFree(x));
}

static void all_well() {
    int *x;
    cudaMalloc(&x, BYTES);
    cudaMemset(x, 0, BYTES);
    fill<<<1, N>>>(x, 1);
    cudaDeviceSynchronize();
    cudaFree(x);
}

static void expected() {
    int *x = nullptr;
    for (size_t bytes = too_much; bytes > 1024 && cudaMalloc(&x, bytes) != cudaSuccess; bytes >>= 4)
        cudaGetLastError();
    must(cudaFree(x));
}

static void kept() {
    int *x = nullptr;
    cudaError_t error = cudaMalloc(&x, too_much);
    puts("allocated");
    if (error != cudaSuccess)
        puts("or not");
}

static void joined() {
    int *x = nullptr;
    int error = cudaMalloc(&x, too_much);
    error |= cudaSetDevice(9);
    printf("%d\n", error != 0);
}

static void not_ready() {
    int *x = device_ints();
    cudaEvent_t done;
    must(cudaEventCreate(&done));
    must(cudaEventRecord(done));
    cudaEventQuery(done);
    cudaStreamQuery(0);
    must(cudaDeviceSynchronize());
    must(cudaEventDestroy(done));
    must(cudaFree(x));
}

static void printed() {
    int *x = nullptr;
    printf("%s\n", cudaGetErrorName(cudaMalloc(&x, too_much)));
}

static void memory() {
    int *x = nullptr;
    cudaMalloc(&x, too_much); // @21
}

static void threads() {
    int *x = device_ints();
    fill<<<1, 2048>>>(x, 1); // @22 and invalid-launch
    cudaFree(x);
}

static void no_blocks() {
    int *x = device_ints(), n = 0;
    fill<<<n / 256, 256>>>(x, 1); // @23 and invalid-launch
    cudaFree(x);
}

static void shared_memory() {
    int *x = device_ints();
    fill<<<1, N, 1 << 20>>>(x, 1); // @24
    cudaFree(x);
}

static void device() {
    cudaSetDevice(7); // @25
}

static void never_recorded() {
    cudaEvent_t a, b;
    float ms;
    must(cudaEventCreate(&a));
    must(cudaEventCreate(&b));
    cudaEventElapsedTime(&ms, a, b); // @26
    must(cudaEventDestroy(a));
    must(cudaEventDestroy(b));
}

static void looked_before() {
    int *x = device_ints();
    must(cudaGetLastError());
    fill<<<1, dim3(64, 64)>>>(x, 1); // @27 and invalid-launch
    cudaFree(x);
}

static void attribute() {
    cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20); // @28
}

static void properties() {
    cudaDeviceProp about;
    cudaGetDeviceProperties(&about, 5); // @29
}

static void flags() {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, 77); // @30
}

static const Case cases[] = {{1, by_macro},
                             {2, by_caller},
                             {3, after_the_launch},
                             {4, peeked_at},
                             {5, all_well},
                             {6, expected},
                             {7, kept},
                             {8, joined},
                             {9, not_ready},
                             {10, printed},
                             {21, memory},
                             {22, threads},
                             {23, no_blocks},
                             {24, shared_memory},
                             {25, device},
                             {26, never_recorded},
                             {27, looked_before},
                             {28, attribute},
                             {29, properties},
                             {30, flags}};

int main(int argc, char **argv) {
    return run_case(argc, argv, cases);
}
