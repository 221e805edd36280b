// Distances in a graph, a launch for each level; a flag tells the host whether to go on.
#include "check.h"

#include <queue>
#include <vector>

struct Node {
    int first, edges;
};

__global__ void expand(const Node *nodes, const int *edges, bool *frontier, bool *updating, const bool *visited, int *cost, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && frontier[i]) {
        frontier[i] = false;
        for (int k = nodes[i].first; k < nodes[i].first + nodes[i].edges; k++)
            if (!visited[edges[k]]) {
                atomicExch(&cost[edges[k]], cost[i] + 1);
                updating[edges[k]] = true;
            }
    }
}

__global__ void advance(bool *frontier, bool *updating, bool *visited, bool *again, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && updating[i]) {
        frontier[i] = visited[i] = *again = true;
        updating[i] = false;
    }
}

int main() {
    const int n = 2000;
    std::vector<Node> nodes(n);
    std::vector<int> edges, cost(n, -1), expected(n, -1);
    Random random(9);
    for (int i = 0; i < n; i++) {
        nodes[i].first = int(edges.size());
        nodes[i].edges = int(random.below(5));
        for (int k = 0; k < nodes[i].edges; k++)
            edges.push_back(random.below(n));
    }
    int source = 0;
    while (nodes[source].edges == 0)
        source++;
    std::queue<int> queue;
    queue.push(source);
    expected[source] = cost[source] = 0;
    for (; !queue.empty(); queue.pop())
        for (int k = 0, i = queue.front(); k < nodes[i].edges; k++)
            if (expected[edges[nodes[i].first + k]] < 0) {
                expected[edges[nodes[i].first + k]] = expected[i] + 1;
                queue.push(edges[nodes[i].first + k]);
            }
    Node *d_nodes;
    int *d_edges, *d_cost, levels = 0;
    bool *d_frontier, *d_updating, *d_visited, *d_again, again = true, yes = true;
    CHECK(cudaMalloc(&d_nodes, n * sizeof(Node)));
    CHECK(cudaMalloc(&d_edges, edges.size() * sizeof(int)));
    CHECK(cudaMalloc(&d_cost, n * sizeof(int)));
    CHECK(cudaMalloc(&d_frontier, n));
    CHECK(cudaMalloc(&d_updating, n));
    CHECK(cudaMalloc(&d_visited, n));
    CHECK(cudaMalloc(&d_again, 1));
    CHECK(cudaMemcpy(d_nodes, nodes.data(), n * sizeof(Node), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_edges, edges.data(), edges.size() * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_cost, cost.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_frontier, 0, n));
    CHECK(cudaMemset(d_updating, 0, n));
    CHECK(cudaMemset(d_visited, 0, n));
    CHECK(cudaMemcpy(d_frontier + source, &yes, 1, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_visited + source, &yes, 1, cudaMemcpyHostToDevice));
    for (; again; levels++) {
        again = false;
        CHECK(cudaMemcpy(d_again, &again, 1, cudaMemcpyHostToDevice));
        expand<<<(n + 255) / 256, 256>>>(d_nodes, d_edges, d_frontier, d_updating, d_visited, d_cost, n);
        advance<<<(n + 255) / 256, 256>>>(d_frontier, d_updating, d_visited, d_again, n);
        CHECK(cudaMemcpy(&again, d_again, 1, cudaMemcpyDeviceToHost));
    }
    CHECK(cudaMemcpy(cost.data(), d_cost, n * sizeof(int), cudaMemcpyDeviceToHost));
    int reached = 0;
    for (int c : cost)
        reached += c >= 0;
    printf("%d nodes reached in %d levels: %s\n", reached, levels, cost == expected ? "right" : "WRONG");
    void *all[] = {d_nodes, d_edges, d_cost, d_frontier, d_updating, d_visited, d_again};
    for (void *d : all)
        CHECK(cudaFree(d));
}
