// sim --grid 4 --block 64 --arg i32*256=uninit
struct node {
    int value;
    node *next;
};
// Each thread builds a list, sums it up and gives it back.
__global__ void k(int *out) {
    node *head = nullptr;
    for (int i = 0; i < 5; i++) {
        node *n = (node *)malloc(sizeof(node));
        if (!n)
            __trap();
        n->value = threadIdx.x + i;
        n->next = head;
        head = n;
    }
    int sum = 0;
    while (head) {
        node *next = head->next;
        sum += head->value;
        free(head);
        head = next;
    }
    free(head); // of NULL: nothing
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
__global__ void check(int *out) {
    for (int i = 0; i < 256; i++)
        if (out[i] != 5 * (i % 64) + 10)
            __trap();
}
