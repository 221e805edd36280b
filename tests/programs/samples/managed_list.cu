// A linked list in managed memory, built by the host, changed by the card, read by the host.
#include "check.h"

#include <new>

class Managed {
  public:
    void *operator new(size_t bytes) {
        void *p;
        CHECK(cudaMallocManaged(&p, bytes));
        CHECK(cudaDeviceSynchronize());
        return p;
    }
    void operator delete(void *p) {
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaFree(p));
    }
};

struct Node : Managed {
    int value;
    Node *next;
    Node(int v, Node *n) : value(v), next(n) {}
};

__managed__ int sum;

__global__ void square(Node *head) {
    for (Node *node = head; node; node = node->next) {
        node->value *= node->value;
        sum += node->value;
    }
}

__global__ void fill(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] += i;
}

int main() {
    Node *head = nullptr;
    for (int i = 1; i <= 10; i++)
        head = new Node(i, head);
    sum = 1000;
    square<<<1, 1>>>(head);
    CHECK(cudaDeviceSynchronize());
    printf("list:");
    for (Node *node = head; node; node = node->next)
        printf(" %d", node->value);
    printf("; sum %d\n", sum);
    while (head) {
        Node *next = head->next;
        delete head;
        head = next;
    }
    const int n = 3000;
    float *x;
    CHECK(cudaMallocManaged(&x, n * sizeof(float)));
    for (int i = 0; i < n; i++)
        x[i] = 0.5f;
    for (int round = 0; round < 3; round++) {
        fill<<<(n + 255) / 256, 256>>>(x, n);
        CHECK(cudaDeviceSynchronize());
        x[7] -= 1;
    }
    printf("x[7] = %g, x[%d] = %g\n", x[7], n - 1, x[n - 1]);
    CHECK(cudaFree(x));
}
