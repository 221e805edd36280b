// A member of a structure is named, in optimised code and through a function that is inlined.
// sim --grid 1 --block 64 --arg i32*64=zero
// says nodes[32].next
// maybe uninitialized-read
struct node {
    float weight;
    int next;
};
__device__ void link(node *n, int i)
{
    n->next = i; // HAZARD shared-race any
}
__global__ void k(int *out)
{
    __shared__ node nodes[64];
    int i = threadIdx.x;
    nodes[i].weight = 1.0f;
    link(&nodes[i], i + 1);
    out[i] = nodes[(i + 32) % 64].next; // HAZARD shared-race error
}
