// Pieces of an array go through four streams: copy up, work, copy down, with pinned memory.
#include "check.h"

__global__ void polynomial(float *x, int n, int degree) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0;
        for (int k = 0; k < degree; k++)
            sum = sum * x[i] + 1;
        x[i] = sum;
    }
}

int main() {
    const int n = 1 << 14, STREAMS = 4, piece = n / STREAMS;
    float *h, *d;
    CHECK(cudaMallocHost(&h, n * sizeof(float)));
    CHECK(cudaMalloc(&d, n * sizeof(float)));
    for (int i = 0; i < n; i++)
        h[i] = (i % 4) * 0.25f;
    cudaStream_t streams[STREAMS];
    cudaEvent_t start, stop;
    for (cudaStream_t &s : streams)
        CHECK(cudaStreamCreate(&s));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start, 0));
    for (int s = 0; s < STREAMS; s++) {
        int at = s * piece;
        CHECK(cudaMemcpyAsync(d + at, h + at, piece * sizeof(float), cudaMemcpyHostToDevice, streams[s]));
        polynomial<<<piece / 128, 128, 0, streams[s]>>>(d + at, piece, 8);
        CHECK(cudaMemcpyAsync(h + at, d + at, piece * sizeof(float), cudaMemcpyDeviceToHost, streams[s]));
    }
    CHECK(cudaEventRecord(stop, 0));
    CHECK(cudaEventSynchronize(stop));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    for (cudaStream_t s : streams) {
        CHECK(cudaStreamQuery(s));
        CHECK(cudaStreamDestroy(s));
    }
    printf("%g %g %g %g; time %s\n", h[0], h[1], h[2], h[n - 1], ms > 0 ? "passed" : "did not pass");
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaFreeHost(h));
    CHECK(cudaFree(d));
}
