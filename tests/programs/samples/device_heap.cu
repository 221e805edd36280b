// Memory that kernels allocate: new and malloc, kept from one launch to the next.
#include "check.h"

__device__ int *rows[8];

__global__ void allocate() {
    int i = threadIdx.x;
    rows[i] = (int *)malloc((i + 1) * sizeof(int));
    for (int k = 0; rows[i] && k <= i; k++)
        rows[i][k] = 100 * i + k;
}

__global__ void release(int *sum) {
    int i = threadIdx.x, mine = 0;
    for (int k = 0; k <= i; k++)
        mine += rows[i][k];
    free(rows[i]);
    atomicAdd(sum, mine);
}

struct Node {
    int value;
    Node *next;
};

__global__ void list(int *out, int n) {
    Node *head = nullptr;
    for (int i = 0; i < n; i++)
        head = new Node{i * i, head};
    int sum = 0;
    while (head) {
        Node *next = head->next;
        sum += head->value;
        delete head;
        head = next;
    }
    out[threadIdx.x] = sum;
}

int main() {
    size_t heap = 0;
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
    CHECK(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
    int *d, h[32];
    CHECK(cudaMalloc(&d, sizeof h));
    CHECK(cudaMemset(d, 0, sizeof h));
    allocate<<<1, 8>>>();
    release<<<1, 8>>>(d);
    CHECK(cudaMemcpy(h, d, sizeof(int), cudaMemcpyDeviceToHost));
    printf("heap of %zu bytes, sum %d\n", heap, h[0]);
    list<<<1, 32>>>(d, 10);
    CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    printf("lists: %d and %d\n", h[0], h[31]);
    CHECK(cudaFree(d));
}
