// Copies whose kind is not that of their pointers.
//
//  1 right                          to the device and back
//  2 right                          on the device
//  3 right                          on the host
//  4 right                          cudaMemcpyDefault, in all directions
//  5 right                          managed memory, which is on both sides
//  6 right                          pinned memory, which the device can reach too
//  7 right                          variables of the device
//  8 right                          rows
//  9 right                          in three dimensions
// 10 right                          the address of a variable
// 21 wrong copy-direction error     to the device, called from it
// 22 wrong copy-direction warning   from the device, called to it; the error is looked at
// 23 wrong copy-direction error     on the device, called to it
// 24 wrong copy-direction error     to the device, called on it
// 25 wrong copy-direction error     on the host, called from the device
// 26 wrong copy-direction error     rows
// 27 wrong copy-direction error     in a stream
// 28 wrong copy-direction error     the pointers are swapped
// 29 wrong copy-direction error     memory of the host set to zero
// 30 wrong copy-direction error     from the device, called on the host
// 31 wrong copy-direction error     in three dimensions
// 32 wrong copy-direction error     on the device, called from it, which a card copies all the same
#include "cases.h"

__device__ int variable[N];
static int host[N], other[N];

static void there_and_back() {
    int *x = device_ints();
    must(cudaMemcpy(x, host, BYTES, cudaMemcpyHostToDevice));
    must(cudaMemcpy(host, x, BYTES, cudaMemcpyDeviceToHost));
    must(cudaFree(x));
}

static void on_the_device() {
    int *x = device_ints(), *y = device_ints();
    must(cudaMemcpy(x, y, BYTES, cudaMemcpyDeviceToDevice));
    must(cudaFree(x));
    must(cudaFree(y));
}

static void on_the_host() {
    must(cudaMemcpy(other, host, BYTES, cudaMemcpyHostToHost));
}

static void by_default() {
    int *x = device_ints(), *y = device_ints();
    must(cudaMemcpy(x, host, BYTES, cudaMemcpyDefault));
    must(cudaMemcpy(host, x, BYTES, cudaMemcpyDefault));
    must(cudaMemcpy(x, y, BYTES, cudaMemcpyDefault));
    must(cudaMemcpy(other, host, BYTES, cudaMemcpyDefault));
    must(cudaFree(x));
    must(cudaFree(y));
}

static void managed() {
    int *x, *y = device_ints();
    must(cudaMallocManaged(&x, BYTES));
    must(cudaMemcpy(x, host, BYTES, cudaMemcpyHostToDevice));
    must(cudaMemcpy(x, host, BYTES, cudaMemcpyHostToHost));
    must(cudaMemcpy(x, y, BYTES, cudaMemcpyDeviceToDevice));
    must(cudaMemcpy(x, y, BYTES, cudaMemcpyDeviceToHost));
    must(cudaFree(x));
    must(cudaFree(y));
}

static void pinned() {
    int *x = device_ints(), *a;
    must(cudaMallocHost(&a, BYTES));
    must(cudaMemcpy(a, x, BYTES, cudaMemcpyDeviceToHost));
    must(cudaMemcpy(x, a, BYTES, cudaMemcpyHostToDevice));
    must(cudaMemcpy(a, x, BYTES, cudaMemcpyDeviceToDevice));
    must(cudaMemcpy(a, host, BYTES, cudaMemcpyHostToHost));
    must(cudaFreeHost(a));
    must(cudaFree(x));
}

static void variables() {
    int *x = device_ints();
    must(cudaMemcpyToSymbol(variable, host, BYTES));
    must(cudaMemcpyToSymbol(variable, x, BYTES, 0, cudaMemcpyDeviceToDevice));
    must(cudaMemcpyFromSymbol(host, variable, BYTES, 0, cudaMemcpyDeviceToHost));
    must(cudaMemcpyFromSymbol(x, variable, BYTES, 0, cudaMemcpyDeviceToDevice));
    must(cudaFree(x));
}

static void rows() {
    int *x = device_ints();
    must(cudaMemcpy2D(x, 32, host, 32, 24, 8, cudaMemcpyHostToDevice));
    must(cudaMemcpy2D(host, 32, x, 32, 24, 8, cudaMemcpyDeviceToHost));
    must(cudaMemcpy2D(host, 32, x, 32, 24, 8, cudaMemcpyDefault));
    must(cudaFree(x));
}

static cudaMemcpy3DParms box(void *to, void *from, cudaMemcpyKind kind) {
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(from, 16, 16, 4);
    copy.dstPtr = make_cudaPitchedPtr(to, 16, 16, 4);
    copy.extent = make_cudaExtent(16, 4, 4);
    copy.kind = kind;
    return copy;
}

static void volume() {
    int *x = device_ints();
    cudaMemcpy3DParms to = box(x, host, cudaMemcpyHostToDevice),
                      from = box(host, x, cudaMemcpyDeviceToHost);
    must(cudaMemcpy3D(&to));
    must(cudaMemcpy3D(&from));
    must(cudaFree(x));
}

static void address() {
    void *x;
    must(cudaGetSymbolAddress(&x, variable));
    must(cudaMemcpy(x, host, BYTES, cudaMemcpyHostToDevice));
    must(cudaMemcpy(host, x, BYTES, cudaMemcpyDeviceToHost));
}

static void to_called_from() {
    int *x = device_ints();
    cudaMemcpy(x, host, BYTES, cudaMemcpyDeviceToHost); // @21
    must(cudaFree(x));
}

static void from_called_to() {
    int *x = device_ints();
    fails(cudaMemcpy(host, x, BYTES, cudaMemcpyHostToDevice)); // @22
    must(cudaFree(x));
}

static void on_called_to() {
    int *x = device_ints(), *y = device_ints();
    cudaMemcpy(x, y, BYTES, cudaMemcpyHostToDevice); // @23
    must(cudaFree(x));
    must(cudaFree(y));
}

static void to_called_on() {
    int *x = device_ints();
    cudaMemcpy(x, host, BYTES, cudaMemcpyDeviceToDevice); // @24
    must(cudaFree(x));
}

static void host_called_from() {
    cudaMemcpy(other, host, BYTES, cudaMemcpyDeviceToHost); // @25
}

static void rows_called_from() {
    int *x = device_ints();
    cudaMemcpy2D(x, 32, host, 32, 24, 8, cudaMemcpyDeviceToHost); // @26
    must(cudaFree(x));
}

static void in_a_stream() {
    int *x = device_ints();
    cudaStream_t stream;
    must(cudaStreamCreate(&stream));
    cudaMemcpyAsync(x, host, BYTES, cudaMemcpyDeviceToHost, stream); // @27
    must(cudaFree(x));
    must(cudaStreamDestroy(stream));
}

static void swapped() {
    int *x = device_ints();
    const void *from = x;
    cudaMemcpy(host, from, BYTES, cudaMemcpyHostToDevice); // @28
    must(cudaFree(x));
}

static void set() {
    cudaMemset(host, 0, BYTES); // @29
}

static void from_called_host() {
    int *x = device_ints();
    cudaMemcpy(host, x, BYTES, cudaMemcpyHostToHost); // @30
    must(cudaFree(x));
}

static void volume_called_from() {
    int *x = device_ints();
    cudaMemcpy3DParms copy = box(x, host, cudaMemcpyDeviceToHost);
    cudaMemcpy3D(&copy); // @31
    must(cudaFree(x));
}

static void on_called_from() {
    int *x = device_ints(), *y = device_ints();
    must(cudaMemcpy(x, y, BYTES, cudaMemcpyDeviceToHost)); // @32
    must(cudaFree(x));
    must(cudaFree(y));
}

static const Case cases[] = {{1, there_and_back},
                             {2, on_the_device},
                             {3, on_the_host},
                             {4, by_default},
                             {5, managed},
                             {6, pinned},
                             {7, variables},
                             {8, rows},
                             {9, volume},
                             {10, address},
                             {21, to_called_from},
                             {22, from_called_to},
                             {23, on_called_to},
                             {24, to_called_on},
                             {25, host_called_from},
                             {26, rows_called_from},
                             {27, in_a_stream},
                             {28, swapped},
                             {29, set},
                             {30, from_called_host},
                             {31, volume_called_from},
                             {32, on_called_from}};

int main(int argc, char **argv) {
    return run_case(argc, argv, cases);
}
