// Clusters of points in the plane: nearest centre by each thread, sums by integer atomics.
#include "check.h"

#include <vector>

const int K = 4;
__constant__ float2 centres[K];

__global__ void assign(const float2 *points, int *membership, int *sums, int *changed, int n) {
    __shared__ int s[3 * K];
    if (threadIdx.x < 3 * K)
        s[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int best = 0;
        float nearest = 1e30f;
        for (int k = 0; k < K; k++) {
            float dx = points[i].x - centres[k].x, dy = points[i].y - centres[k].y, d = dx * dx + dy * dy;
            if (d < nearest) {
                nearest = d;
                best = k;
            }
        }
        if (membership[i] != best)
            atomicAdd(changed, 1);
        membership[i] = best;
        atomicAdd(&s[best], 1);
        atomicAdd(&s[K + best], __float2int_rn(points[i].x * 1024));
        atomicAdd(&s[2 * K + best], __float2int_rn(points[i].y * 1024));
    }
    __syncthreads();
    if (threadIdx.x < 3 * K)
        atomicAdd(&sums[threadIdx.x], s[threadIdx.x]);
}

int main() {
    const int n = 3000;
    std::vector<float2> points(n);
    Random random(6);
    for (int i = 0; i < n; i++) {
        points[i].x = (i % 2 ? 10 : 0) + random.uniform() * 6;
        points[i].y = (i % 4 / 2 ? 10 : 0) + random.uniform() * 6;
    }
    float2 *d_points, centre[K] = {{0, 0}, {3, 9}, {9, 3}, {12, 12}};
    int *d_membership, *d_sums, *d_changed, sums[3 * K], changed = n, rounds = 0;
    CHECK(cudaMalloc(&d_points, n * sizeof(float2)));
    CHECK(cudaMalloc(&d_membership, n * sizeof(int)));
    CHECK(cudaMalloc(&d_sums, sizeof sums));
    CHECK(cudaMalloc(&d_changed, sizeof(int)));
    CHECK(cudaMemcpy(d_points, points.data(), n * sizeof(float2), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_membership, 0xff, n * sizeof(int)));
    while (changed && rounds < 50) {
        CHECK(cudaMemcpyToSymbol(centres, centre, sizeof centre));
        CHECK(cudaMemset(d_sums, 0, sizeof sums));
        CHECK(cudaMemset(d_changed, 0, sizeof(int)));
        assign<<<(n + 127) / 128, 128>>>(d_points, d_membership, d_sums, d_changed, n);
        CHECK(cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(&changed, d_changed, sizeof(int), cudaMemcpyDeviceToHost));
        for (int k = 0; k < K; k++)
            if (sums[k])
                centre[k] = make_float2(sums[K + k] / 1024.0f / sums[k], sums[2 * K + k] / 1024.0f / sums[k]);
        rounds++;
    }
    printf("%d rounds\n", rounds);
    for (int k = 0; k < K; k++)
        printf("%d points around %.2f, %.2f\n", sums[k], centre[k].x, centre[k].y);
    void *all[] = {d_points, d_membership, d_sums, d_changed};
    for (void *d : all)
        CHECK(cudaFree(d));
}
