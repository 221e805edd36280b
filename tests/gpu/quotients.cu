// When a quotient of floats takes its slow path, by the exponents of both numbers, and what that takes.
#include <cstdio>
/* Clocks of a quotient of numbers with these exponents, of a warp alone. */
__global__ void look(unsigned short *clocks, unsigned mantissa)
{
    unsigned ea = blockIdx.x;
    for (unsigned eb = 0; eb < 256; eb++) {
        float a = __uint_as_float(ea << 23 | mantissa), b = __uint_as_float(eb << 23);
        a = __shfl_sync(~0u, a, 0);
        b = __shfl_sync(~0u, b, 0);
        long long start = clock64();
        float q = a / b;
        if (__float_as_uint(q) == 0x12345678u)
            clocks[0] = 1;
        clocks[ea * 256 + eb] = (unsigned short)(clock64() - start);
    }
}
/* So many lanes of each warp divide `slow`, the others what is fast. */
__global__ void pace(float *out, long long *clocks, int lanes, float slow, float fast, int rounds)
{
    float b = fast, a = threadIdx.x % 32 < lanes ? slow : fast, s = 0;
    long long start = clock64();
#pragma unroll 1
    for (int r = 0; r < rounds; r++) {
        float q = a / b;
        s += q;
        b += q * 0.0f;
    }
    long long end = clock64();
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
    if (threadIdx.x == 0)
        clocks[blockIdx.x] = end - start;
}
int main()
{
    enum { SLOW = 150 };
    static unsigned short seen[65536];
    unsigned short *clocks;
    float *out;
    long long *whole, first;
    cudaMalloc(&clocks, sizeof seen);
    cudaMalloc(&out, 132 * 1024 * sizeof *out);
    cudaMalloc(&whole, 132 * sizeof *whole);
    for (int i = 0; i < 2; i++)
        look<<<256, 32>>>(clocks, 0);
    cudaMemcpy(seen, clocks, sizeof seen, cudaMemcpyDeviceToHost);
    for (unsigned ea = 0; ea < 256; ea++) {
        int least = -1, most = -1;
        for (int eb = 0; eb < 256; eb++)
            if (seen[ea * 256 + eb] < SLOW) {
                least = least < 0 ? eb : least;
                most = eb;
            }
        printf("exponent %u: fast by %d to %d\n", ea, least, most);
    }
    const float slow[] = {0.0f, 1e-37f, 1e-40f};
    for (int warps = 1; warps <= 32; warps *= 4)
        for (float number : slow)
            for (int lanes = 0; lanes <= 32; lanes = lanes ? lanes * 32 : 1) {
                pace<<<132, 32 * warps>>>(out, whole, lanes, number, 3.0f, 200);
                cudaMemcpy(&first, whole, sizeof first, cudaMemcpyDeviceToHost);
                printf("%d warps, %d lanes divide %g: %.1f clocks a round\n", warps, lanes, number, first / 200.0);
            }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
