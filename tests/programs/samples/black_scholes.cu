// Prices of options, in float on the device and in double on the host.
#include "check.h"

#include <cmath>
#include <vector>

__device__ float cnd(float d) {
    const float A1 = 0.31938153f, A2 = -0.356563782f, A3 = 1.781477937f, A4 = -1.821255978f, A5 = 1.330274429f;
    float K = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float value = 0.39894228040143267794f * expf(-0.5f * d * d) *
                  (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5)))));
    return d > 0 ? 1.0f - value : value;
}

__global__ void price(float *call, float *put, const float *S, const float *X, const float *T, float R, float V, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float root = sqrtf(T[i]), d1 = (logf(S[i] / X[i]) + (R + 0.5f * V * V) * T[i]) / (V * root), d2 = d1 - V * root;
    float discount = expf(-R * T[i]);
    call[i] = S[i] * cnd(d1) - X[i] * discount * cnd(d2);
    put[i] = X[i] * discount * (1.0f - cnd(d2)) - S[i] * (1.0f - cnd(d1));
}

double normal(double d) { return 0.5 * erfc(-d * M_SQRT1_2); }

int main() {
    const int n = 4000;
    const float R = 0.02f, V = 0.30f;
    std::vector<float> in[3], out[2];
    float *d[5];
    Random random(5347);
    for (int k = 0; k < 5; k++)
        CHECK(cudaMalloc(&d[k], n * sizeof(float)));
    for (int k = 0; k < 3; k++) {
        in[k].resize(n);
        for (float &x : in[k])
            x = k == 0 ? 5 + 25 * random.uniform() : k == 1 ? 1 + 99 * random.uniform() : 0.25f + 9.75f * random.uniform();
        CHECK(cudaMemcpy(d[k + 2], in[k].data(), n * sizeof(float), cudaMemcpyHostToDevice));
    }
    price<<<(n + 127) / 128, 128>>>(d[0], d[1], d[2], d[3], d[4], R, V, n);
    CHECK(cudaGetLastError());
    for (int k = 0; k < 2; k++) {
        out[k].resize(n);
        CHECK(cudaMemcpy(out[k].data(), d[k], n * sizeof(float), cudaMemcpyDeviceToHost));
    }
    double worst = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        double S = in[0][i], X = in[1][i], T = in[2][i], d1 = (log(S / X) + (R + 0.5 * V * V) * T) / (V * sqrt(T));
        double call = S * normal(d1) - X * exp(-R * T) * normal(d1 - V * sqrt(T));
        worst = fmax(worst, fabs(call - out[0][i]));
        sum += out[0][i];
    }
    printf("%d options: largest error %s, mean price %.2f\n", n, worst < 1e-4 ? "below 1e-4" : "TOO LARGE", sum / n);
    for (int k = 0; k < 5; k++)
        CHECK(cudaFree(d[k]));
}
