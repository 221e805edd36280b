// Variables of the device: set, read, their address and size asked for, a pointer among them.
#include "check.h"

__device__ int counter = 5;
__device__ float table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__device__ float *selected;
__constant__ int2 pairs[3];
static __device__ volatile int hidden[4];

__global__ void work(float *out) {
    int i = threadIdx.x;
    out[i] = selected[i] * pairs[i % 3].x + pairs[i % 3].y;
    if (i < 4)
        hidden[i] = i * i;
    atomicAdd(&counter, 1);
}

__global__ void scale(float *p, float s) { p[threadIdx.x] *= s; }

int main() {
    int2 h_pairs[3] = {{1, 10}, {2, 20}, {3, 30}};
    float out[8], *d_out, *d_table;
    size_t bytes = 0;
    CHECK(cudaMalloc(&d_out, sizeof out));
    CHECK(cudaMemcpyToSymbol(pairs, h_pairs, 2 * sizeof(int2)));
    CHECK(cudaMemcpyToSymbol(pairs, h_pairs + 2, sizeof(int2), 2 * sizeof(int2)));
    CHECK(cudaGetSymbolAddress((void **)&d_table, table));
    CHECK(cudaGetSymbolSize(&bytes, table));
    CHECK(cudaMemcpyToSymbol(selected, &d_table, sizeof d_table));
    scale<<<1, 8>>>(d_table, 0.5f);
    work<<<1, 8>>>(d_out);
    work<<<1, 8>>>(d_out);
    CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    int count = 0, squares[4];
    CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
    CHECK(cudaMemcpyFromSymbol(squares, hidden, sizeof squares));
    printf("counter %d, table of %zu bytes, squares %d %d %d %d\n", count, bytes, squares[0], squares[1], squares[2], squares[3]);
    for (float x : out)
        printf("%g ", x);
    printf("\n");
    CHECK(cudaFree(d_out));
}
