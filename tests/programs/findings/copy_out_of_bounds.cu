// Copies past the end of memory.
//
//  1 right                              all of it
//  2 right                              the first half
//  3 right                              from the middle to the end
//  4 right                              with a pitch, row by row
//  5 right                              nothing, from the end on
//  6 right                              all of it set to zero
//  7 right                              a variable, whole and from its middle
//  8 right                              in three dimensions
//  9 right                              between two blocks, to the last byte
// 10 right                              in a stream, in two halves
// 11 right                              into a larger block of the host's heap
// 21 wrong copy-out-of-bounds error     elements where bytes were allocated: to the device
// 22 wrong copy-out-of-bounds error     ... and from it
// 23 wrong copy-out-of-bounds error     the end of it, from the middle on
// 24 wrong copy-out-of-bounds warning   the source of two blocks is shorter; looked at
// 25 wrong copy-out-of-bounds error     set to zero
// 26 wrong copy-out-of-bounds error     a variable
// 27 wrong copy-out-of-bounds error     a variable, from its middle
// 28 wrong copy-out-of-bounds error     one row too many
// 29 wrong copy-out-of-bounds error     the block of the host's heap is too small
// 30 wrong copy-out-of-bounds error     a null pointer
// 31 wrong copy-out-of-bounds error     it begins after the end
// 32 wrong copy-out-of-bounds error     rows set to zero, one too many
// 33 wrong copy-out-of-bounds warning   in a stream; the error is looked at
// 34 wrong copy-out-of-bounds error     pinned memory of the host is too small
// 35 wrong copy-out-of-bounds error     new[] of too few elements
#include "cases.h"

#include <unistd.h>
#include <vector>

__device__ int variable[N];
__constant__ float factors[4];
static int host[4 * N];

static void all() {
    int *x = device_ints();
    must(cudaMemcpy(x, host, BYTES, cudaMemcpyHostToDevice));
    must(cudaMemcpy(host, x, BYTES, cudaMemcpyDeviceToHost));
    must(cudaFree(x));
}

static void half() {
    int *x = device_ints();
    must(cudaMemcpy(host, x, BYTES / 2, cudaMemcpyDeviceToHost));
    must(cudaFree(x));
}

static void to_the_end() {
    int *x = device_ints();
    must(cudaMemcpy(host, x + N / 2, BYTES / 2, cudaMemcpyDeviceToHost));
    must(cudaFree(x));
}

static void rows() {
    char *x;
    size_t pitch;
    must(cudaMallocPitch(&x, &pitch, 40, 6));
    must(cudaMemset2D(x, pitch, 1, 40, 6));
    must(cudaMemcpy2D(host, 40, x, pitch, 40, 6, cudaMemcpyDeviceToHost));
    must(cudaMemcpy2D(x, pitch, host, 40, 40, 6, cudaMemcpyHostToDevice));
    must(cudaFree(x));
}

static void nothing() {
    int *x = device_ints();
    must(cudaMemcpy(host, x + N, 0, cudaMemcpyDeviceToHost));
    must(cudaMemset(x + N, 0, 0));
    must(cudaFree(x));
}

static void set_all() {
    int *x = device_ints();
    must(cudaMemset(x, 0, BYTES));
    must(cudaMemsetAsync(x + N - 1, 1, sizeof(int)));
    must(cudaFree(x));
}

static void whole_variable() {
    must(cudaMemcpyToSymbol(variable, host, sizeof variable));
    must(cudaMemcpyFromSymbol(host, variable, sizeof variable / 2, sizeof variable / 2));
    must(cudaMemcpyToSymbol(factors, host, sizeof(float), 3 * sizeof(float)));
}

static void volume() {
    cudaExtent extent = make_cudaExtent(16, 4, 2);
    cudaPitchedPtr x;
    must(cudaMalloc3D(&x, extent));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(host, 16, 16, 4);
    copy.dstPtr = x;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    must(cudaMemcpy3D(&copy));
    must(cudaFree(x.ptr));
}

static void between() {
    int *a = device_ints(), *b = device_ints();
    must(cudaMemcpy(b + 1, a, BYTES - sizeof(int), cudaMemcpyDeviceToDevice));
    must(cudaFree(a));
    must(cudaFree(b));
}

static void halves() {
    int *x = device_ints(), *pinned;
    cudaStream_t stream;
    must(cudaStreamCreate(&stream));
    must(cudaMallocHost(&pinned, BYTES));
    for (int i = 0; i < 2; i++)
        must(cudaMemcpyAsync(pinned + i * N / 2, x + i * N / 2, BYTES / 2, cudaMemcpyDeviceToHost,
                             stream));
    must(cudaStreamSynchronize(stream));
    must(cudaFreeHost(pinned));
    must(cudaFree(x));
    must(cudaStreamDestroy(stream));
}

static void larger() {
    int *x = device_ints();
    std::vector<int> result(2 * N);
    must(cudaMemcpy(result.data() + N, x, BYTES, cudaMemcpyDeviceToHost));
    must(cudaFree(x));
}

static void to_device() {
    int *x;
    must(cudaMalloc(&x, N));
    cudaMemcpy(x, host, BYTES, cudaMemcpyHostToDevice); // @21
    must(cudaFree(x));
}

static void from_device() {
    int *x = device_ints();
    cudaMemcpy(host, x, BYTES + 4, cudaMemcpyDeviceToHost); // @22
    must(cudaFree(x));
}

static void from_the_middle() {
    int *x = device_ints();
    cudaMemcpy(x + 1, host, BYTES, cudaMemcpyHostToDevice); // @23
    must(cudaFree(x));
}

static void shorter_source() {
    int *a = device_ints(), *b;
    must(cudaMalloc(&b, 2 * BYTES));
    fails(cudaMemcpy(b, a, 2 * BYTES, cudaMemcpyDeviceToDevice)); // @24
    must(cudaFree(a));
    must(cudaFree(b));
}

static void set_too_far() {
    int *x = device_ints();
    cudaMemset(x, 0, BYTES * sizeof(int)); // @25
    must(cudaFree(x));
}

static void variable_too_small() {
    cudaMemcpyToSymbol(factors, host, 5 * sizeof(float)); // @26
}

static void variable_from_the_middle() {
    cudaMemcpyFromSymbol(host, variable, sizeof variable, 4); // @27
}

static void row_too_many() {
    char *x;
    size_t pitch;
    must(cudaMallocPitch(&x, &pitch, 40, 6));
    cudaMemcpy2D(x, pitch, host, 40, 40, 7, cudaMemcpyHostToDevice); // @28
    must(cudaFree(x));
}

static void heap_too_small() {
    int *x = device_ints(), *result = (int *)malloc(BYTES / 2);
    cudaMemcpy(result, x, BYTES, cudaMemcpyDeviceToHost); // @29
    must(cudaFree(x));
    _exit(0); // the heap is broken
}

static void null() {
    int *x = nullptr;
    cudaMemcpy(x, host, BYTES, cudaMemcpyHostToDevice); // @30
}

static void after_the_end() {
    int *x = device_ints();
    cudaMemcpy(host, x + 2 * N, 8, cudaMemcpyDeviceToHost); // @31
    must(cudaFree(x));
}

static void row_set_too_many() {
    char *x;
    size_t pitch;
    must(cudaMallocPitch(&x, &pitch, 40, 6));
    cudaMemset2D(x, pitch, 0, 40, 8); // @32
    must(cudaFree(x));
}

static void in_a_stream() {
    int *x = device_ints(), *pinned;
    cudaStream_t stream;
    must(cudaStreamCreate(&stream));
    must(cudaMallocHost(&pinned, 2 * BYTES));
    memset(pinned, 0, 2 * BYTES);
    fails(cudaMemcpyAsync(x, pinned, 2 * BYTES, cudaMemcpyHostToDevice, stream)); // @33
    must(cudaStreamSynchronize(stream));
    must(cudaFreeHost(pinned));
    must(cudaFree(x));
    must(cudaStreamDestroy(stream));
}

static void pinned_too_small() {
    int *x, *pinned;
    must(cudaMalloc(&x, 1 << 20));
    must(cudaMemset(x, 0, 1 << 20));
    must(cudaMallocHost(&pinned, 4096));
    cudaMemcpy(pinned, x, 4096 + 64, cudaMemcpyDeviceToHost); // @34
    _exit(0);
}

static void array_too_small() {
    int *x = device_ints(), *result = new int[N / 4];
    cudaMemcpy(result, x, BYTES, cudaMemcpyDeviceToHost); // @35
    must(cudaFree(x));
    _exit(0);
}

static const Case cases[] = {{1, all},
                             {2, half},
                             {3, to_the_end},
                             {4, rows},
                             {5, nothing},
                             {6, set_all},
                             {7, whole_variable},
                             {8, volume},
                             {9, between},
                             {10, halves},
                             {11, larger},
                             {21, to_device},
                             {22, from_device},
                             {23, from_the_middle},
                             {24, shorter_source},
                             {25, set_too_far},
                             {26, variable_too_small},
                             {27, variable_from_the_middle},
                             {28, row_too_many},
                             {29, heap_too_small},
                             {30, null},
                             {31, after_the_end},
                             {32, row_set_too_many},
                             {33, in_a_stream},
                             {34, pinned_too_small},
                             {35, array_too_small}};

int main(int argc, char **argv) {
    return run_case(argc, argv, cases);
}
