// A Fourier transform of radix 2: bit reversal, then a launch for each stage, forth and back.
#include "check.h"

#include <cmath>
#include <vector>

__global__ void reverse(const float2 *in, float2 *out, int bits) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[__brev(i) >> (32 - bits)] = in[i];
}

__global__ void butterflies(float2 *data, int half, float sign) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int k = t & (half - 1), i = 2 * t - k;
    float angle = sign * float(k) / float(half), s, c;
    sincospif(angle, &s, &c);
    float2 a = data[i], b = data[i + half];
    float2 turned = make_float2(b.x * c - b.y * s, b.x * s + b.y * c);
    data[i] = make_float2(a.x + turned.x, a.y + turned.y);
    data[i + half] = make_float2(a.x - turned.x, a.y - turned.y);
}

void transform(float2 *in, float2 *out, int bits, float sign) {
    int n = 1 << bits;
    reverse<<<n / 128, 128>>>(in, out, bits);
    for (int half = 1; half < n; half *= 2)
        butterflies<<<n / 256, 128>>>(out, half, sign);
    CHECK(cudaGetLastError());
}

int main() {
    const int bits = 10, n = 1 << bits;
    std::vector<float2> signal(n), spectrum(n), back(n);
    for (int i = 0; i < n; i++) {
        signal[i].x = float(cos(2 * M_PI * 50 * i / n) + 0.5 * cos(2 * M_PI * 120 * i / n));
        signal[i].y = 0;
    }
    float2 *d_a, *d_b;
    CHECK(cudaMalloc(&d_a, n * sizeof(float2)));
    CHECK(cudaMalloc(&d_b, n * sizeof(float2)));
    CHECK(cudaMemcpy(d_a, signal.data(), n * sizeof(float2), cudaMemcpyHostToDevice));
    transform(d_a, d_b, bits, -1);
    CHECK(cudaMemcpy(spectrum.data(), d_b, n * sizeof(float2), cudaMemcpyDeviceToHost));
    transform(d_b, d_a, bits, 1);
    CHECK(cudaMemcpy(back.data(), d_a, n * sizeof(float2), cudaMemcpyDeviceToHost));
    for (int k = 0; k <= n / 2; k++) {
        float size = hypotf(spectrum[k].x, spectrum[k].y) / n;
        if (size > 0.01f)
            printf("frequency %d: %.3f\n", k, size);
    }
    double worst = 0;
    for (int i = 0; i < n; i++)
        worst = fmax(worst, fabs(back[i].x / n - signal[i].x));
    printf("forth and back: largest error %s\n", worst < 1e-5 ? "below 1e-5" : "TOO LARGE");
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
}
