// What one store, or one load that hits the L1, takes of an SM's load/store unit, by how far its lanes lie apart:
// beside eight loads of 32 passes each, with which the way to the L2 has time enough.
#include <algorithm>
#include <cstdio>
static float *in;
static char *out;
static const int ROUNDS = 128, WARPS = 16;
template <int KIND, typename T>
__global__ void lines(const float *in, char *out, int rounds, int pitch, int lanes, int shift)
{
    int lane = threadIdx.x % 32, warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    const float *row = in + lane * 32;
    char *mine = out + (size_t)warp * 32 * (KIND == 1 ? 512 : 0) + (size_t)lane * pitch + shift;
    float s = 0;
    T t{};
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
        float v[8];
#pragma unroll
        for (int r = 0; r < 8; r++)
            v[r] = __ldca(row + ((i * 3 + r * 5) & 31));
        if (KIND == 1 && lane < lanes)
            *(T *)mine = t;
        if (KIND == 2 && lane < lanes) {
            T u = __ldca((const T *)mine);
            s += *(float *)&u;
        }
#pragma unroll
        for (int r = 0; r < 8; r++)
            s += v[r];
        *(float *)&t = s;
    }
    if (s == 1.25f)
        ((float *)out)[warp] = s;
}
/* Clocks of an SM a warp's turn. */
template <int KIND, typename T> static float run(int pitch, int lanes, int shift)
{
    cudaEvent_t a, b;
    float us[5];
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    for (float &time : us) {
        cudaEventRecord(a);
        lines<KIND, T><<<132, 32 * WARPS>>>(in, out, ROUNDS, pitch, lanes, shift);
        cudaEventRecord(b);
        cudaEventSynchronize(b);
        cudaEventElapsedTime(&time, a, b);
    }
    std::sort(us, us + 5);
    return (us[2] * 1000 - 4) * 1980 / ROUNDS / WARPS;
}
template <typename T> static void all(int pitch, int lanes, int shift)
{
    float none = run<0, T>(pitch, lanes, shift);
    printf("%zu bytes, %d apart, %d lanes, shifted by %d: a store %.1f clocks, a load %.1f\n", sizeof(T), pitch, lanes,
           shift, run<1, T>(pitch, lanes, shift) - none, run<2, T>(pitch, lanes, shift) - none);
}
int main()
{
    cudaMalloc(&in, 1 << 20);
    cudaMalloc(&out, 256 << 20);
    cudaMemset(in, 0, 1 << 20);
    run<0, float>(4, 32, 0);
    for (int pitch : {0, 4, 8, 12, 16, 20, 28, 32, 36, 48, 64, 68, 96, 128, 132, 192, 256, 260, 512})
        all<float>(pitch, 32, 0);
    all<float>(4, 32, 4);
    for (int lanes : {4, 8, 16})
        all<float>(512, lanes, 0);
    for (int pitch : {8, 16, 24, 32, 64, 72, 128, 136, 512})
        all<float2>(pitch, 32, 0);
    for (int pitch : {16, 32, 48, 64, 80, 128, 144, 512})
        all<float4>(pitch, 32, 0);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
