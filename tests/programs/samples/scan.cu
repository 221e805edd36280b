// An exclusive scan of any length in three launches, the sums of blocks scanned by recursion.
#include "check.h"

#include <vector>

const int THREADS = 128, ITEMS = 2 * THREADS;

__global__ void scan_block(const unsigned *in, unsigned *out, unsigned *sums, int n) {
    __shared__ unsigned temp[ITEMS];
    int tid = threadIdx.x, base = blockIdx.x * ITEMS;
    for (int k = tid; k < ITEMS; k += THREADS)
        temp[k] = base + k < n ? in[base + k] : 0;
    int offset = 1;
    for (int d = ITEMS >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (tid < d)
            temp[offset * (2 * tid + 2) - 1] += temp[offset * (2 * tid + 1) - 1];
        offset *= 2;
    }
    if (tid == 0) {
        if (sums)
            sums[blockIdx.x] = temp[ITEMS - 1];
        temp[ITEMS - 1] = 0;
    }
    for (int d = 1; d < ITEMS; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (tid < d) {
            int a = offset * (2 * tid + 1) - 1, b = offset * (2 * tid + 2) - 1;
            unsigned t = temp[a];
            temp[a] = temp[b];
            temp[b] += t;
        }
    }
    __syncthreads();
    for (int k = tid; k < ITEMS; k += THREADS)
        if (base + k < n)
            out[base + k] = temp[k];
}

__global__ void add_sums(unsigned *out, const unsigned *sums, int n) {
    for (int k = threadIdx.x; k < ITEMS; k += THREADS)
        if (blockIdx.x * ITEMS + k < n)
            out[blockIdx.x * ITEMS + k] += sums[blockIdx.x];
}

void scan(const unsigned *in, unsigned *out, int n) {
    int blocks = (n + ITEMS - 1) / ITEMS;
    unsigned *sums = NULL;
    if (blocks > 1)
        CHECK(cudaMalloc(&sums, blocks * sizeof(unsigned)));
    scan_block<<<blocks, THREADS>>>(in, out, sums, n);
    CHECK(cudaGetLastError());
    if (blocks > 1) {
        scan(sums, sums, blocks);
        add_sums<<<blocks, THREADS>>>(out, sums, n);
        CHECK(cudaGetLastError());
        CHECK(cudaFree(sums));
    }
}

int main() {
    int sizes[] = {1, 255, 256, 257, 5000, 70001};
    for (int n : sizes) {
        std::vector<unsigned> in(n), out(n);
        Random random(n);
        for (unsigned &x : in)
            x = random.below(100);
        unsigned *d_in, *d_out;
        CHECK(cudaMalloc(&d_in, n * sizeof(unsigned)));
        CHECK(cudaMalloc(&d_out, n * sizeof(unsigned)));
        CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
        scan(d_in, d_out, n);
        CHECK(cudaMemcpy(out.data(), d_out, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
        unsigned sum = 0, wrong = 0;
        for (int i = 0; i < n; i++) {
            wrong += out[i] != sum;
            sum += in[i];
        }
        printf("%6d elements: %u wrong, last %u\n", n, wrong, out[n - 1]);
        CHECK(cudaFree(d_in));
        CHECK(cudaFree(d_out));
    }
}
