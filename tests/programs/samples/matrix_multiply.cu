// C = A * B with tiles in shared memory, for two sizes of tile (a template), timed by events.
#include "check.h"

#include <vector>

template <int TILE> __global__ void multiply(float *C, const float *A, const float *B, int wA, int wB) {
    __shared__ float As[TILE][TILE], Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int tile = 0; tile < wA; tile += TILE) {
        As[threadIdx.y][threadIdx.x] = A[row * wA + tile + threadIdx.x];
        Bs[threadIdx.y][threadIdx.x] = B[(tile + threadIdx.y) * wB + column];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++)
            sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    C[row * wB + column] = sum;
}

template <int TILE> void run(int hA, int wA, int wB) {
    std::vector<float> A(hA * wA), B(wA * wB, 0.01f), C(hA * wB);
    for (int i = 0; i < hA * wA; i++)
        A[i] = float(i % 9 - 4);
    float *d_A, *d_B, *d_C;
    CHECK(cudaMalloc(&d_A, A.size() * sizeof(float)));
    CHECK(cudaMalloc(&d_B, B.size() * sizeof(float)));
    CHECK(cudaMalloc(&d_C, C.size() * sizeof(float)));
    CHECK(cudaMemcpy(d_A, A.data(), A.size() * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_B, B.data(), B.size() * sizeof(float), cudaMemcpyHostToDevice));
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    dim3 threads(TILE, TILE), grid(wB / TILE, hA / TILE);
    multiply<TILE><<<grid, threads>>>(d_C, d_A, d_B, wA, wB);
    CHECK(cudaEventRecord(start));
    for (int i = 0; i < 2; i++)
        multiply<TILE><<<grid, threads>>>(d_C, d_A, d_B, wA, wB);
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    float ms = -1;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    CHECK(cudaMemcpy(C.data(), d_C, C.size() * sizeof(float), cudaMemcpyDeviceToHost));
    double worst = 0;
    for (int r = 0; r < hA; r++) {
        double expected = 0;
        for (int k = 0; k < wA; k++)
            expected += double(A[r * wA + k]) * 0.01f;
        for (int c = 0; c < wB; c++)
            worst = fmax(worst, fabs(C[r * wB + c] - expected));
    }
    printf("%d x %d times %d x %d, tiles of %d: %s, time %s, checksum %016llx\n", hA, wA, wA, wB, TILE,
           worst < 1e-4 ? "right" : "WRONG", ms > 0 ? "measured" : "none",
           checksum(C.data(), C.size() * sizeof(float)));
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaFree(d_A));
    CHECK(cudaFree(d_B));
    CHECK(cudaFree(d_C));
}

int main() {
    run<16>(64, 96, 128);
    run<32>(96, 64, 32);
    return 0;
}
