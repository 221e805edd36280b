// What the second-level cache takes of stores: a part of each sector (1 to 16 bytes) or whole ones, sectors
// side by side, rows apart or anywhere, again later, at once or by the next warps; and loads beside them.
// A program of its own: nvcc -O3 -arch=sm_90 -o stores stores.cu && ./stores. What an H200 said stands in
// tests/bench/model/MEMORY.md.
#include <cstdio>
#include <cuda_runtime.h>
enum { SIDE_BY_SIDE, ANYWHERE, ROWS };
enum { LATER, AT_ONCE, NEIGHBOURS };
struct plan { int place, again, bytes, lanes; unsigned row_sectors, log_sectors; int times; };
__device__ static unsigned mixed(unsigned s, unsigned bits)
{   /* each number below 2^bits becomes another one */
    unsigned mask = (1u << bits) - 1, half = bits / 2;
    s ^= s >> half; s = s * 0x9E3779B1u & mask; s ^= s >> half; s = s * 0x85EBCA6Bu & mask; s ^= s >> half;
    return s;
}
template <int BYTES> __device__ static void put(char *p)
{
    if (BYTES == 1) asm volatile("st.global.u8 [%0], %1;" ::"l"(p), "r"(1) : "memory");
    if (BYTES == 4) asm volatile("st.global.u32 [%0], %1;" ::"l"(p), "r"(1) : "memory");
    if (BYTES == 8) asm volatile("st.global.v2.u32 [%0], {%1,%1};" ::"l"(p), "r"(1) : "memory");
    if (BYTES == 16) asm volatile("st.global.v4.u32 [%0], {%1,%1,%1,%1};" ::"l"(p), "r"(1) : "memory");
}
template <int BYTES> __global__ void parts(char *buf, plan p)
{
    unsigned lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    unsigned warps = gridDim.x * blockDim.x / 32, requests = (1u << p.log_sectors) / p.lanes;
    int outer = p.again == LATER ? p.times : 1, inner = p.again == AT_ONCE ? p.times : 1;
    int near = p.again == NEIGHBOURS ? p.times : 1;
    for (int pass = 0; pass < outer; pass++)
        for (unsigned at = warp; at < requests * near; at += warps) {
            unsigned r = at / near, s = r * p.lanes + lane;
            if (p.place == ANYWHERE) s = mixed(s, p.log_sectors);
            if (p.place == ROWS) s = (r / p.row_sectors * p.lanes + lane) * p.row_sectors + r % p.row_sectors;
            for (int i = 0; i < inner && lane < p.lanes; i++)
                put<BYTES>(buf + (size_t)s * 32 + (pass + i + at % near) * BYTES % 32);
        }
}
/* 16 bytes a lane, `group` lanes side by side in each of 32 / group rows of `row` bytes */
template <int LOAD, int STORE> __global__ void pieces(const char *in, char *out, unsigned requests, unsigned group, unsigned row, int times)
{
    unsigned lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    unsigned warps = gridDim.x * blockDim.x / 32, sum = 0, tile = row / (group * 16);
    for (int pass = 0; pass < times; pass++)
        for (unsigned r = warp; r < requests; r += warps) {
            size_t at = (size_t)(r / tile * (32 / group) + lane / group) * row + (r % tile * group + lane % group) * 16;
            unsigned a = 1, b = 1, c = 1, d = 1;
            if (LOAD)
                asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(in + at));
            if (STORE)
                asm volatile("st.global.v4.u32 [%0], {%1,%2,%3,%4};" ::"l"(out + at), "r"(a), "r"(b), "r"(c), "r"(d) : "memory");
            sum += a;
        }
    if (sum == 1234567) *out = 1;
}
static char *in, *out;
template <class F> static double clocks(F launch)
{
    cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b);
    float best = 1e9, ms;
    for (int i = 0; i < 6; i++) {
        cudaEventRecord(a); launch(); cudaEventRecord(b); cudaEventSynchronize(b);
        cudaEventElapsedTime(&ms, a, b); best = ms < best ? ms : best;
    }
    return (best * 1000 - 3.9) * 1980;
}
static void go(plan p)
{
    static const char *places[] = {"side by side", "anywhere", "rows"}, *agains[] = {"later", "at once", "by neighbours"};
    double c = clocks([&] {
        if (p.bytes == 1) parts<1><<<1056, 256>>>(out, p);
        if (p.bytes == 4) parts<4><<<1056, 256>>>(out, p);
        if (p.bytes == 8) parts<8><<<1056, 256>>>(out, p);
        if (p.bytes == 16) parts<16><<<1056, 256>>>(out, p);
    });
    printf("%d bytes of sectors %s (rows of %u bytes), %d a request, %d times %s: %.1f sectors a clock\n", p.bytes,
           places[p.place], p.row_sectors * 32, p.lanes, p.times, agains[p.again], (double)(1u << p.log_sectors) * p.times / c);
}
template <int LOAD, int STORE> static void piece(unsigned mib, unsigned group, unsigned row)
{
    unsigned requests = mib * (1u << 20) / 512;
    double c = clocks([&] { pieces<LOAD, STORE><<<1056, 256>>>(in, out, requests, group, row, 8); });
    printf("%s pieces of %u bytes in rows of %u, %u MiB: %.1f sectors a clock\n", !STORE ? "load" : LOAD ? "copy" : "store",
           group * 16, row, mib, requests * 16. * 8 / c);
}
int main()
{
    cudaMalloc(&in, 1u << 30); cudaMalloc(&out, 1u << 30); cudaMemset(in, 0, 1u << 30); cudaMemset(out, 0, 1u << 30);
    for (int bytes = 1; bytes <= 16; bytes = bytes == 1 ? 4 : bytes * 2)
        for (int lanes = 32; lanes >= 16; lanes -= 16) {
            go({SIDE_BY_SIDE, LATER, bytes, lanes, 1, 19, 8}); go({ANYWHERE, LATER, bytes, lanes, 1, 19, 8});
            for (unsigned row = 16; row <= 1024; row *= 8) go({ROWS, LATER, bytes, lanes, row, 19, 8});
        }
    for (int again = AT_ONCE; again <= NEIGHBOURS; again++)
        for (int times = 2; times <= 8; times *= 2) {
            go({SIDE_BY_SIDE, again, 4, 32, 1, 19, times}); go({ROWS, again, 4, 32, 128, 19, times});
            go({SIDE_BY_SIDE, again, 16, 32, 1, 23, 2}); go({ROWS, again, 8, 16, 512, 23, 4});
        }
    for (unsigned mib = 12; mib <= 16; mib += 4)
        for (unsigned group = 32; group >= 2; group = group == 32 ? 8 : group / 2) {
            unsigned row = group == 32 ? 512 : 4096;
            piece<1, 0>(mib, group, row); piece<0, 1>(mib, group, row); piece<1, 1>(mib, group, row);
        }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
