// What tensor cores and the instructions around them take: latencies of one warp's chain, and clocks of an
// SM an instruction where many warps have chains of it.
// A program of its own: nvcc -O3 -arch=sm_90 -o matrix matrix.cu && ./matrix. What an H200 said stands in
// tests/bench/model/ASSEMBLER.md.
#include <cstdio>
#include <cuda_runtime.h>
enum { TURNS = 64, EACH = 16 };

// A product that adds to itself, of so many results a lane; all factors are the same two registers.
#define PRODUCT2(name, type, constraint, form, a, b)                                                        \
    struct name {                                                                                           \
        type c[2];                                                                                          \
        __device__ void begin() { c[0] = c[1] = 0; }                                                        \
        __device__ void step(unsigned x, unsigned y)                                                        \
        {                                                                                                   \
            asm volatile("mma.sync.aligned." form " {%0,%1}," a "," b ",{%0,%1};"                           \
                         : "+" constraint(c[0]), "+" constraint(c[1]) : "r"(x), "r"(y), "d"((double)x));    \
        }                                                                                                   \
        __device__ float end() { return c[0] + c[1]; }                                                      \
    };
#define PRODUCT4(name, type, constraint, form, a, b)                                                        \
    struct name {                                                                                           \
        type c[4];                                                                                          \
        __device__ void begin() { c[0] = c[1] = c[2] = c[3] = 0; }                                          \
        __device__ void step(unsigned x, unsigned y)                                                        \
        {                                                                                                   \
            asm volatile("mma.sync.aligned." form " {%0,%1,%2,%3}," a "," b ",{%0,%1,%2,%3};"               \
                         : "+" constraint(c[0]), "+" constraint(c[1]), "+" constraint(c[2]),                \
                           "+" constraint(c[3]) : "r"(x), "r"(y));                                          \
        }                                                                                                   \
        __device__ float end() { return c[0] + c[1] + c[2] + c[3]; }                                        \
    };
PRODUCT4(Half, float, "f", "m16n8k16.row.col.f32.f16.f16.f32", "{%4,%4,%4,%4}", "{%5,%5}")
PRODUCT4(HalfShort, float, "f", "m16n8k8.row.col.f32.f16.f16.f32", "{%4,%4}", "{%5}")
PRODUCT2(HalfSums, unsigned, "r", "m16n8k16.row.col.f16.f16.f16.f16", "{%2,%2,%2,%2}", "{%3,%3}")
PRODUCT4(Tf32, float, "f", "m16n8k8.row.col.f32.tf32.tf32.f32", "{%4,%4,%4,%4}", "{%5,%5}")
PRODUCT4(Bytes, int, "r", "m16n8k32.row.col.s32.s8.s8.s32", "{%4,%4,%4,%4}", "{%5,%5}")
PRODUCT2(Double, double, "d", "m8n8k4.row.col.f64.f64.f64.f64", "{%4}", "{%4}")

struct Transpose {
    unsigned c;
    __device__ void begin() { c = threadIdx.x; }
    __device__ void step(unsigned, unsigned)
    {
        asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0,%0;" : "+r"(c));
    }
    __device__ float end() { return c; }
};
struct Shuffle {
    unsigned c;
    __device__ void begin() { c = threadIdx.x; }
    __device__ void step(unsigned, unsigned)
    {
        asm volatile("shfl.sync.bfly.b32 %0,%0,1,31,-1;" : "+r"(c));
    }
    __device__ float end() { return c; }
};
extern __shared__ unsigned pool[]; // of zeros: what is loaded changes no address
struct Rows {
    unsigned c[4], at;
    __device__ void begin()
    {
        at = (unsigned)__cvta_generic_to_shared(pool) + threadIdx.x % 32 * 16;
        c[1] = c[2] = c[3] = 0;
    }
    __device__ void step(unsigned, unsigned)
    {
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3},[%4];"
                     : "=r"(c[0]), "=r"(c[1]), "=r"(c[2]), "=r"(c[3]) : "r"(at));
        at += c[0];
    }
    __device__ float end() { return c[1] + c[2] + c[3] + at; }
};

template <class T, int CHAINS> __global__ void run(float *out, long long *clocks, unsigned a, unsigned b)
{
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        pool[i] = 0;
    T x[CHAINS];
#pragma unroll
    for (int c = 0; c < CHAINS; c++)
        x[c].begin();
    for (int turn = 0; turn < 2; turn++) {
        __syncthreads();
        long long start = clock64();
#pragma unroll 1
        for (int j = 0; j < TURNS; j++)
#pragma unroll
            for (int e = 0; e < EACH; e++)
#pragma unroll
                for (int c = 0; c < CHAINS; c++)
                    x[c].step(a, b);
        __syncthreads();
        if (threadIdx.x == 0)
            clocks[0] = clock64() - start;
    }
    float sum = 0;
#pragma unroll
    for (int c = 0; c < CHAINS; c++)
        sum += x[c].end();
    out[threadIdx.x] = sum;
}

float *out;
long long *clocks;

// Clocks in which so many warps of an SM have issued CHAINS instructions each.
template <class T, int CHAINS> double go(int warps)
{
    run<T, CHAINS><<<1, 32 * warps, 4096>>>(out, clocks, 0, 0);
    long long c = 0;
    cudaMemcpy(&c, clocks, sizeof c, cudaMemcpyDeviceToHost);
    return (double)c / (TURNS * EACH);
}
template <class T> void all(const char *name)
{
    printf("%-15s latency %.2f, clocks of an SM an instruction: 4 warps of 4 chains %.2f, 16 of 2 %.2f, 32 %.2f\n",
           name, go<T, 1>(1), go<T, 4>(4) / 16, go<T, 2>(16) / 32, go<T, 1>(32) / 32);
}
int main()
{
    cudaMalloc(&out, 1 << 20);
    cudaMalloc(&clocks, 1 << 20);
    all<Half>("m16n8k16");
    all<HalfSums>("m16n8k16, f16");
    all<HalfShort>("m16n8k8");
    all<Tf32>("m16n8k8, tf32");
    all<Bytes>("m16n8k32, s8");
    all<Double>("m8n8k4, f64");
    all<Transpose>("movmatrix");
    all<Shuffle>("shfl");
    all<Rows>("ldmatrix, x4");
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
