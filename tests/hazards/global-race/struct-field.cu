// sim --grid 2 --block 32 --arg i32*192=zero
struct node {
    int next, weight, seen;
};
__global__ void k(node *nodes) {
    int i = blockIdx.x * 32 + threadIdx.x;
    nodes[i].next = (i + 1) % 64;
    nodes[i].weight = 2;
    nodes[(i + 1) % 64].seen = nodes[(i + 1) % 64].weight; // HAZARD global-race error
}
// maybe global-race
