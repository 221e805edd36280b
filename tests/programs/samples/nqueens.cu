// Solutions of the queens' problem: a thread for each start of two rows, its search on a stack.
#include "check.h"

__device__ unsigned solutions(unsigned columns, unsigned left, unsigned right, unsigned full) {
    unsigned stack[4][16], count = 0;
    int depth = 0;
    stack[0][0] = columns;
    stack[1][0] = left;
    stack[2][0] = right;
    stack[3][0] = full & ~(columns | left | right);
    while (depth >= 0) {
        unsigned free = stack[3][depth];
        if (free == 0) {
            depth--;
            continue;
        }
        unsigned bit = free & -free;
        stack[3][depth] ^= bit;
        unsigned c = stack[0][depth] | bit, l = (stack[1][depth] | bit) << 1, r = (stack[2][depth] | bit) >> 1;
        if (c == full) {
            count++;
            continue;
        }
        depth++;
        stack[0][depth] = c;
        stack[1][depth] = l;
        stack[2][depth] = r;
        stack[3][depth] = full & ~(c | l | r);
    }
    return count;
}

__global__ void queens(int n, unsigned long long *sum) {
    int t = blockIdx.x * blockDim.x + threadIdx.x, a = t / n, b = t % n;
    if (a >= n || abs(a - b) < 2)
        return;
    unsigned first = 1u << a, second = 1u << b;
    unsigned count = solutions(first | second, (first << 1 | second) << 1, (first >> 1 | second) >> 1, (1u << n) - 1);
    if (count)
        atomicAdd(sum, (unsigned long long)count);
}

int main() {
    unsigned long long *d_sum, sum;
    CHECK(cudaMalloc(&d_sum, sizeof sum));
    for (int n = 4; n <= 8; n++) {
        CHECK(cudaMemset(d_sum, 0, sizeof sum));
        queens<<<(n * n + 31) / 32, 32>>>(n, d_sum);
        CHECK(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
        printf("%d queens: %llu solutions\n", n, sum);
    }
    CHECK(cudaFree(d_sum));
}
