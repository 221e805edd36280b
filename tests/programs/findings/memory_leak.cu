// Device memory that no pointer leads to when the program ends.
//
//  1 right                         freed
//  2 right                         freed by cudaDeviceReset()
//  3 right                         a global pointer still leads to it
//  4 right                         a global vector has the pointers
//  5 right                         a static owner frees it after main()
//  6 right                         freed by what atexit() calls
//  8 right                         freed in the order of a stream
//  9 right                         a list on the heap, which a global pointer leads to
// 10 right                         a thousand times, each freed
// 21 wrong memory-leak warning     lost with the function that had the pointer
// 22 wrong memory-leak warning     overwritten in a loop
// 23 wrong memory-leak warning     forgotten where the function returns early
// 24 wrong memory-leak warning     a vector of pointers is gone
// 25 wrong memory-leak warning     memory with a pitch
// 26 wrong memory-leak warning     managed memory
// 27 wrong memory-leak warning     stream-ordered memory
// 28 wrong memory-leak warning     an owner without a destructor
// 29 wrong memory-leak warning     memory in three dimensions
// 30 wrong memory-leak warning     two of three blocks, of two lines
// 31 wrong memory-leak warning     exit() in the middle, where a function still has the pointer
#include "cases.h"

#include <memory>
#include <vector>

static int *kept;
static std::vector<int *> list;
struct Item {
    int *x;
    Item *next;
};
static Item *items;

static void freed() {
    int *x = device_ints();
    must(cudaFree(x));
}

static void reset() {
    device_ints();
    must(cudaDeviceReset());
}

static void global() {
    kept = device_ints();
}

static void global_vector() {
    for (int i = 0; i < 3; i++)
        list.push_back(device_ints(i));
}

struct Free {
    void operator()(int *x) const {
        cudaFree(x);
    }
};

static void static_owner() {
    static std::unique_ptr<int, Free> owner(device_ints());
}

static void at_exit() {
    kept = device_ints();
    atexit([] { cudaFree(kept); });
}

static void leave(int *const *x) {
    printf("%d\n", *x != nullptr);
    exit(0);
}

static void exit_in_the_middle() {
    int *x;
    must(cudaMalloc(&x, BYTES)); // @31
    leave(&x);
}

static void stream_ordered_freed() {
    int *x;
    must(cudaMallocAsync(&x, BYTES, 0));
    fill<<<1, N>>>(x, 1);
    must(cudaFreeAsync(x, 0));
}

static void list_on_the_heap() {
    for (int i = 0; i < 3; i++)
        items = new Item{device_ints(i), items};
}

static void often() {
    for (int i = 0; i < 1000; i++) {
        int *x;
        must(cudaMalloc(&x, 4096));
        must(cudaFree(x));
    }
}

static __attribute__((noinline)) void lost() {
    int *x;
    must(cudaMalloc(&x, BYTES)); // @21
    fill<<<1, N>>>(x, 1);
    must(cudaDeviceSynchronize());
}

static __attribute__((noinline)) void overwritten() {
    int *x;
    for (int i = 0; i < 5; i++)
        must(cudaMalloc(&x, BYTES)); // @22
    must(cudaMemset(x, 0, BYTES));
}

static __attribute__((noinline)) bool early(int n) {
    int *x;
    must(cudaMalloc(&x, BYTES)); // @23
    if (n < 100)
        return false;
    must(cudaFree(x));
    return true;
}

static void returned_early() {
    printf("%d\n", early(1));
}

static __attribute__((noinline)) void vector_gone() {
    std::vector<int *> pointers(8);
    for (int *&x : pointers)
        must(cudaMalloc(&x, BYTES)); // @24
}

static __attribute__((noinline)) void pitched() {
    char *x;
    size_t pitch;
    must(cudaMallocPitch(&x, &pitch, 100, 10)); // @25
    must(cudaMemset2D(x, pitch, 0, 100, 10));
}

static __attribute__((noinline)) void managed() {
    int *x;
    must(cudaMallocManaged(&x, BYTES)); // @26
    x[0] = 1;
}

static __attribute__((noinline)) void stream_ordered() {
    int *x;
    must(cudaMallocAsync(&x, BYTES, 0)); // @27
    fill<<<1, N>>>(x, 1);
    must(cudaStreamSynchronize(0));
}

struct Careless {
    int *x;
    Careless() {
        must(cudaMalloc(&x, BYTES)); // @28
    }
};

static __attribute__((noinline)) void no_destructor() {
    Careless one, two;
    fill<<<1, N>>>(one.x, 1);
    fill<<<1, N>>>(two.x, 2);
    cudaDeviceSynchronize();
}

static __attribute__((noinline)) void volume() {
    cudaPitchedPtr x;
    must(cudaMalloc3D(&x, make_cudaExtent(64, 4, 4))); // @29
    must(cudaMemset3D(x, 0, make_cudaExtent(64, 4, 4)));
}

static __attribute__((noinline)) void two_of_three() {
    int *x, *y, *z;
    must(cudaMalloc(&x, BYTES)); // @30
    must(cudaMalloc(&y, BYTES));
    must(cudaMalloc(&z, BYTES)); // @30
    must(cudaFree(y));
}

static const Case cases[] = {{1, freed},
                             {2, reset},
                             {3, global},
                             {4, global_vector},
                             {5, static_owner},
                             {6, at_exit},
                             {31, exit_in_the_middle},
                             {8, stream_ordered_freed},
                             {9, list_on_the_heap},
                             {10, often},
                             {21, lost},
                             {22, overwritten},
                             {23, returned_early},
                             {24, vector_gone},
                             {25, pitched},
                             {26, managed},
                             {27, stream_ordered},
                             {28, no_destructor},
                             {29, volume},
                             {30, two_of_three}};

int main(int argc, char **argv) {
    return run_case(argc, argv, cases);
}
