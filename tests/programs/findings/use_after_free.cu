// Device memory that is used after it was freed.
//
//  1 right                          freed after its last use
//  2 right                          freed, and another block allocated in its place
//  3 right                          two buffers whose pointers are swapped
//  4 right                          freed by a destructor
//  5 right                          freed while the kernel may still run: cudaFree() waits
//  6 right                          allocated and freed in the order of a stream
//  7 right                          allocated from what a stream has freed
//  8 right                          the number of a freed pointer is printed, not followed
//  9 right                          managed memory, used by both sides before it is freed
// 10 right                          one of two neighbours is freed, the other one is used
// 21 wrong use-after-free error     copied from
// 22 wrong use-after-free warning   copied to; the error is looked at
// 23 wrong use-after-free error     set to zero
// 24 wrong use-after-free error     a kernel writes to it
// 25 wrong use-after-free error     a kernel reads from its middle
// 26 wrong use-after-free error     freed by another pointer to it
// 27 wrong use-after-free error     freed in a loop, one turn too early
// 28 wrong use-after-free error     freed in the order of a stream, and used after that
// 29 wrong use-after-free warning   given to a kernel that does not follow it
// 30 wrong use-after-free error     a list on the device still points to it
// 31 wrong use-after-free error     managed memory, used by a kernel
// 32 wrong use-after-free warning   freed by a destructor of a copy; the error is looked at
#include "cases.h"

#include <utility>

static int host[N];

static void freed_last() {
    int *x = device_ints();
    twice<<<1, N>>>(x);
    must(cudaMemcpy(host, x, BYTES, cudaMemcpyDeviceToHost));
    must(cudaFree(x));
}

static void allocated_again() {
    int *x = device_ints();
    must(cudaFree(x));
    x = device_ints();
    twice<<<1, N>>>(x);
    must(cudaMemcpy(host, x, BYTES, cudaMemcpyDeviceToHost));
    must(cudaFree(x));
}

static void swapped() {
    int *from = device_ints(), *to = device_ints();
    for (int i = 0; i < 5; i++) {
        copy_of<<<1, N>>>(to, from);
        std::swap(from, to);
    }
    must(cudaMemcpy(host, from, BYTES, cudaMemcpyDeviceToHost));
    must(cudaFree(from));
    must(cudaFree(to));
}

struct Buffer {
    int *x = device_ints();
    ~Buffer() {
        cudaFree(x);
    }
};

static void by_destructor() {
    Buffer buffer;
    twice<<<1, N>>>(buffer.x);
    must(cudaMemcpy(host, buffer.x, BYTES, cudaMemcpyDeviceToHost));
}

static void while_it_runs() {
    int *x = device_ints();
    cudaStream_t stream;
    must(cudaStreamCreate(&stream));
    twice<<<1, N, 0, stream>>>(x);
    must(cudaFree(x));
    must(cudaStreamDestroy(stream));
}

static void in_stream_order() {
    cudaStream_t stream;
    int *x;
    must(cudaStreamCreate(&stream));
    must(cudaMallocAsync(&x, BYTES, stream));
    fill<<<1, N, 0, stream>>>(x, 1);
    twice<<<1, N, 0, stream>>>(x);
    must(cudaFreeAsync(x, stream));
    must(cudaStreamSynchronize(stream));
    must(cudaStreamDestroy(stream));
}

static void from_the_pool() {
    for (int i = 0; i < 4; i++) {
        int *x;
        must(cudaMallocAsync(&x, BYTES, 0));
        fill<<<1, N>>>(x, i);
        must(cudaFreeAsync(x, 0));
    }
    must(cudaDeviceSynchronize());
}

static void printed() {
    int *x = device_ints();
    must(cudaFree(x));
    printf("%s\n", x ? "there was one" : "none");
}

static void managed() {
    int *x;
    must(cudaMallocManaged(&x, BYTES));
    fill<<<1, N>>>(x, 3);
    must(cudaDeviceSynchronize());
    printf("%d\n", x[5]);
    must(cudaFree(x));
}

static void neighbours() {
    int *first = device_ints(), *second = device_ints();
    must(cudaFree(first));
    twice<<<1, N>>>(second);
    must(cudaMemcpy(host, second, BYTES, cudaMemcpyDeviceToHost));
    must(cudaFree(second));
}

static void copied_from() {
    int *x = device_ints();
    must(cudaFree(x));
    cudaMemcpy(host, x, BYTES, cudaMemcpyDeviceToHost); // @21
}

static void copied_to() {
    int *x = device_ints();
    must(cudaFree(x));
    fails(cudaMemcpy(x, host, BYTES, cudaMemcpyHostToDevice)); // @22
}

static void set() {
    int *x = device_ints();
    must(cudaFree(x));
    cudaMemset(x, 0, BYTES); // @23
}

__global__ void write_freed(int *x) {
    x[threadIdx.x] = 1; // @24
}

static void written() {
    int *x = device_ints();
    must(cudaFree(x));
    write_freed<<<1, N>>>(x);
    fails(cudaDeviceSynchronize());
}

__global__ void read_freed(int *to, const int *x) {
    to[threadIdx.x] = x[threadIdx.x + N / 2]; // @25
}

static void read() {
    int *x = device_ints(), *to = device_ints();
    must(cudaFree(x));
    read_freed<<<1, N / 2>>>(to, x);
    fails(cudaDeviceSynchronize());
    cudaFree(to);
}

static void by_another_name() {
    int *x = device_ints(), *same = x;
    must(cudaFree(x));
    x = nullptr;
    cudaMemcpy(host, same, BYTES, cudaMemcpyDeviceToHost); // @26
}

static void in_a_loop() {
    int *x = device_ints();
    for (int i = 0; i < 2; i++) {
        if (cudaMemset(x, i, BYTES) != cudaSuccess) // @27
            return;
        must(cudaFree(x));
    }
}

__global__ void write_pool(int *x) {
    x[threadIdx.x] = 1; // @28
}

static void after_stream_order() {
    cudaStream_t stream;
    int *x;
    must(cudaStreamCreate(&stream));
    must(cudaMallocAsync(&x, BYTES, stream));
    must(cudaFreeAsync(x, stream));
    write_pool<<<1, N, 0, stream>>>(x);
    fails(cudaStreamSynchronize(stream));
    cudaStreamDestroy(stream);
}

static void given() {
    int *x = device_ints();
    must(cudaFree(x));
    unless_negative<<<1, N>>>(x, -1); // @29
    must(cudaDeviceSynchronize());
}

struct Node {
    int value;
    Node *next;
};

__global__ void sum_of_two(const Node *node, int *sum) {
    for (int i = 0; i < 2; i++) {
        *sum += node->value; // @30
        node = node->next;
    }
}

static void list() {
    Node *first, *second, nodes[2] = {{1, nullptr}, {2, nullptr}};
    int *sum = device_ints(0);
    must(cudaMalloc(&first, sizeof(Node)));
    must(cudaMalloc(&second, sizeof(Node)));
    nodes[0].next = second;
    must(cudaMemcpy(first, &nodes[0], sizeof(Node), cudaMemcpyHostToDevice));
    must(cudaMemcpy(second, &nodes[1], sizeof(Node), cudaMemcpyHostToDevice));
    must(cudaFree(second));
    sum_of_two<<<1, 1>>>(first, sum);
    fails(cudaDeviceSynchronize());
    cudaFree(first);
    cudaFree(sum);
}

__global__ void write_managed(int *x) {
    x[threadIdx.x] = 1; // @31
}

static void managed_freed() {
    int *x;
    must(cudaMallocManaged(&x, BYTES));
    must(cudaFree(x));
    write_managed<<<1, N>>>(x);
    fails(cudaDeviceSynchronize());
}

static void take(Buffer) {
}

static void by_a_copy() {
    Buffer *buffer = new Buffer;
    take(*buffer);
    fails(cudaMemcpy(host, buffer->x, BYTES, cudaMemcpyDeviceToHost)); // @32
}

static const Case cases[] = {{1, freed_last},     {2, allocated_again},
                             {3, swapped},        {4, by_destructor},
                             {5, while_it_runs},  {6, in_stream_order},
                             {7, from_the_pool},  {8, printed},
                             {9, managed},        {10, neighbours},
                             {21, copied_from},   {22, copied_to},
                             {23, set},           {24, written},
                             {25, read},          {26, by_another_name},
                             {27, in_a_loop},     {28, after_stream_order},
                             {29, given},         {30, list},
                             {31, managed_freed}, {32, by_a_copy}};

int main(int argc, char **argv) {
    return run_case(argc, argv, cases);
}
