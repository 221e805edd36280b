// Memory that is freed twice, or that was never allocated.
//
//  1 right                       two buffers, each freed once
//  2 right                       null pointers, which may be freed
//  3 right                       set to null after it was freed
//  4 right                       allocated and freed in a loop
//  5 right                       an owner that moves
//  6 right                       pinned memory of the host
//  7 right                       managed memory
//  8 right                       stream-ordered memory, freed by cudaFree()
//  9 right                       memory with a pitch
// 10 right                       an empty allocation
// 21 wrong double-free error     the same pointer twice
// 22 wrong double-free warning   two names of one block; the error is looked at
// 23 wrong double-free error     a pointer into the middle
// 24 wrong double-free error     an array of the host
// 25 wrong double-free error     what malloc() returned
// 26 wrong double-free error     pinned memory twice
// 27 wrong double-free error     pinned memory by cudaFree()
// 28 wrong double-free error     an owner that was copied
// 29 wrong double-free error     device memory by cudaFreeHost()
// 30 wrong double-free error     the same element of an array in every turn
// 31 wrong double-free error     stream-ordered memory twice
// 32 wrong double-free error     a variable of the device
// 33 wrong double-free warning   managed memory twice; the error is looked at
#include "cases.h"

#include <utility>

__device__ int variable[N];

static void once() {
    int *a = device_ints(), *b = device_ints();
    must(cudaFree(a));
    must(cudaFree(b));
}

static void null() {
    must(cudaFree(nullptr));
    must(cudaFree(nullptr));
    must(cudaFreeHost(nullptr));
}

static void set_to_null() {
    int *x = device_ints();
    for (int i = 0; i < 2; i++) {
        must(cudaFree(x));
        x = nullptr;
    }
}

static void in_a_loop() {
    for (int i = 0; i < 10; i++)
        must(cudaFree(device_ints(i)));
}

struct Owner {
    int *x;
    explicit Owner(int *pointer) : x(pointer) {
    }
    Owner(Owner &&other) : x(std::exchange(other.x, nullptr)) {
    }
    ~Owner() {
        must(cudaFree(x));
    }
};

static void moved() {
    Owner first(device_ints());
    Owner second(std::move(first));
    twice<<<1, N>>>(second.x);
}

static void pinned() {
    int *a, *b;
    must(cudaMallocHost(&a, BYTES));
    must(cudaHostAlloc(&b, BYTES, cudaHostAllocMapped));
    must(cudaFreeHost(a));
    must(cudaFreeHost(b));
}

static void managed() {
    int *x;
    must(cudaMallocManaged(&x, BYTES));
    must(cudaFree(x));
}

static void stream_ordered() {
    int *x;
    must(cudaMallocAsync(&x, BYTES, 0));
    must(cudaStreamSynchronize(0));
    must(cudaFree(x));
}

static void pitched() {
    int *x;
    size_t pitch;
    must(cudaMallocPitch(&x, &pitch, 100, 10));
    must(cudaFree(x));
}

static void empty() {
    int *x = nullptr;
    cudaMalloc(&x, 0);
    must(cudaFree(x));
}

static void same_twice() {
    int *x = device_ints();
    must(cudaFree(x));
    cudaFree(x); // @21
}

static void two_names() {
    int *x = device_ints(), *same = x;
    must(cudaFree(x));
    fails(cudaFree(same)); // @22
}

static void middle() {
    int *x = device_ints();
    cudaFree(x + 16); // @23
    must(cudaFree(x));
}

static void array() {
    int x[4] = {0};
    cudaFree(x); // @24
}

static void heap() {
    int *x = (int *)malloc(BYTES);
    cudaFree(x); // @25
    free(x);
}

static void pinned_twice() {
    int *x;
    must(cudaMallocHost(&x, BYTES));
    must(cudaFreeHost(x));
    cudaFreeHost(x); // @26
}

static void pinned_as_device() {
    int *x;
    must(cudaMallocHost(&x, BYTES));
    cudaFree(x); // @27
    must(cudaFreeHost(x));
}

struct Careless {
    int *x = device_ints();
    ~Careless() {
        cudaFree(x); // @28
    }
};

static void copied() {
    Careless first;
    Careless second = first;
    twice<<<1, N>>>(second.x);
}

static void device_as_pinned() {
    int *x = device_ints();
    cudaFreeHost(x); // @29
    must(cudaFree(x));
}

static void same_element() {
    int *list[2] = {device_ints(), device_ints()};
    for (int i = 0; i < 2; i++)
        cudaFree(list[0]); // @30
    must(cudaFree(list[1]));
}

static void stream_ordered_twice() {
    int *x;
    must(cudaMallocAsync(&x, BYTES, 0));
    must(cudaFreeAsync(x, 0));
    cudaFreeAsync(x, 0); // @31
}

static void device_variable() {
    void *x;
    must(cudaGetSymbolAddress(&x, variable));
    cudaFree(x); // @32
}

static void managed_twice() {
    int *x;
    must(cudaMallocManaged(&x, BYTES));
    must(cudaFree(x));
    fails(cudaFree(x)); // @33
}

static const Case cases[] = {{1, once},
                             {2, null},
                             {3, set_to_null},
                             {4, in_a_loop},
                             {5, moved},
                             {6, pinned},
                             {7, managed},
                             {8, stream_ordered},
                             {9, pitched},
                             {10, empty},
                             {21, same_twice},
                             {22, two_names},
                             {23, middle},
                             {24, array},
                             {25, heap},
                             {26, pinned_twice},
                             {27, pinned_as_device},
                             {28, copied},
                             {29, device_as_pinned},
                             {30, same_element},
                             {31, stream_ordered_twice},
                             {32, device_variable},
                             {33, managed_twice}};

int main(int argc, char **argv) {
    return run_case(argc, argv, cases);
}
