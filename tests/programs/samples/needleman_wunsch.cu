// Aligns two sequences: the diagonals of a table one after another, a block on a tile of it.
#include "check.h"

#include <algorithm>
#include <vector>

const int TILE = 16, PENALTY = 10;

__device__ void tile(int *table, const signed char *a, const signed char *b, int columns, int bx, int by) {
    __shared__ int s[TILE + 1][TILE + 1];
    int t = threadIdx.x, origin = by * TILE * columns + bx * TILE;
    if (t == 0)
        s[0][0] = table[origin];
    s[0][t + 1] = table[origin + t + 1];
    s[t + 1][0] = table[origin + (t + 1) * columns];
    __syncthreads();
    for (int diagonal = 0; diagonal < 2 * TILE - 1; diagonal++) {
        int y = t + 1, x = diagonal - t + 1;
        if (x >= 1 && x <= TILE) {
            int match = a[by * TILE + y - 1] == b[bx * TILE + x - 1] ? 5 : -3;
            s[y][x] = max(s[y - 1][x - 1] + match, max(s[y - 1][x], s[y][x - 1]) - PENALTY);
        }
        __syncthreads();
    }
    for (int y = 1; y <= TILE; y++)
        table[origin + y * columns + t + 1] = s[y][t + 1];
}

__global__ void diagonal_of_tiles(int *table, const signed char *a, const signed char *b, int columns, int first_x, int sum) {
    int bx = first_x + blockIdx.x;
    tile(table, a, b, columns, bx, sum - bx);
}

int main() {
    const int n = 128, columns = n + 1, tiles = n / TILE;
    std::vector<signed char> a(n), b(n);
    std::vector<int> table(columns * columns, 0), result(columns * columns);
    Random random(8);
    for (int i = 0; i < n; i++) {
        a[i] = "ACGT"[random.below(4)];
        b[i] = random.below(4) ? a[i] : "ACGT"[random.below(4)];
    }
    for (int i = 1; i <= n; i++)
        table[i] = table[i * columns] = -i * PENALTY;
    int *d_table;
    signed char *d_a, *d_b;
    CHECK(cudaMalloc(&d_table, table.size() * sizeof(int)));
    CHECK(cudaMalloc(&d_a, n));
    CHECK(cudaMalloc(&d_b, n));
    CHECK(cudaMemcpy(d_table, table.data(), table.size() * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_a, a.data(), n, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, b.data(), n, cudaMemcpyHostToDevice));
    for (int sum = 0; sum < 2 * tiles - 1; sum++) {
        int first = std::max(0, sum - tiles + 1), last = std::min(sum, tiles - 1);
        diagonal_of_tiles<<<last - first + 1, TILE>>>(d_table, d_a, d_b, columns, first, sum);
    }
    CHECK(cudaMemcpy(result.data(), d_table, table.size() * sizeof(int), cudaMemcpyDeviceToHost));
    for (int y = 1; y <= n; y++)
        for (int x = 1; x <= n; x++)
            table[y * columns + x] = std::max(table[(y - 1) * columns + x - 1] + (a[y - 1] == b[x - 1] ? 5 : -3),
                                              std::max(table[(y - 1) * columns + x], table[y * columns + x - 1]) - PENALTY);
    printf("score %d: %s\n", result[columns * columns - 1], result == table ? "right" : "WRONG");
    CHECK(cudaFree(d_table));
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
}
