// Ranks of pages until they stay: double precision, sums of a block by atomicAdd on double.
#include "check.h"

#include <vector>

__global__ void rank(const int *begin, const int *from, const int *out_degree, const double *now, double *then, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0;
    for (int k = begin[i]; k < begin[i + 1]; k++)
        sum += now[from[k]] / out_degree[from[k]];
    then[i] = 0.15 / n + 0.85 * sum;
}

__global__ void difference(const double *now, const double *then, double *sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double mine = i < n ? fabs(now[i] - then[i]) : 0;
    for (int offset = 16; offset; offset /= 2)
        mine += __shfl_down_sync(0xffffffff, mine, offset);
    if (threadIdx.x % 32 == 0)
        atomicAdd(sum, mine);
}

int main() {
    const int n = 500, links = 4;
    std::vector<int> begin(n + 1, 0), from, degree(n, links);
    std::vector<std::vector<int>> in(n);
    Random random(12);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < links; k++)
            in[random.below(random.below(n) + 1)].push_back(i);
    for (int i = 0; i < n; i++) {
        from.insert(from.end(), in[i].begin(), in[i].end());
        begin[i + 1] = int(from.size());
    }
    std::vector<double> ranks(n, 1.0 / n);
    int *d_begin, *d_from, *d_degree;
    double *d_now, *d_then, *d_sum, change = 1;
    CHECK(cudaMalloc(&d_begin, (n + 1) * sizeof(int)));
    CHECK(cudaMalloc(&d_from, from.size() * sizeof(int)));
    CHECK(cudaMalloc(&d_degree, n * sizeof(int)));
    CHECK(cudaMalloc(&d_now, n * sizeof(double)));
    CHECK(cudaMalloc(&d_then, n * sizeof(double)));
    CHECK(cudaMalloc(&d_sum, sizeof(double)));
    CHECK(cudaMemcpy(d_begin, begin.data(), (n + 1) * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_from, from.data(), from.size() * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_degree, degree.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_now, ranks.data(), n * sizeof(double), cudaMemcpyHostToDevice));
    int rounds = 0;
    while (change > 1e-6 && rounds++ < 100) {
        CHECK(cudaMemset(d_sum, 0, sizeof(double)));
        rank<<<(n + 127) / 128, 128>>>(d_begin, d_from, d_degree, d_now, d_then, n);
        difference<<<(n + 127) / 128, 128>>>(d_now, d_then, d_sum, n);
        CHECK(cudaMemcpy(&change, d_sum, sizeof(double), cudaMemcpyDeviceToHost));
        double *t = d_now;
        d_now = d_then;
        d_then = t;
    }
    CHECK(cudaMemcpy(ranks.data(), d_now, n * sizeof(double), cudaMemcpyDeviceToHost));
    int best = 0;
    for (int i = 0; i < n; i++)
        if (ranks[i] > ranks[best])
            best = i;
    printf("%d rounds, best page %d with %.6f\n", rounds, best, ranks[best]);
    void *all[] = {d_begin, d_from, d_degree, d_now, d_then, d_sum};
    for (void *d : all)
        CHECK(cudaFree(d));
}
