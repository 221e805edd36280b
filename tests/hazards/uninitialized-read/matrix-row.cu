// sim --grid 1 --block 32 --arg f32*64=iota --arg f32*64=uninit
#include <cuda_fp16.h>
__global__ void k(const float *in, float *out) {
    __shared__ __half a[16][16];
    int x = threadIdx.x;
    for (int i = x; i < 128; i += 32)
        a[i / 16][i % 16] = __float2half(in[i & 63]);
    __syncwarp();
    int g = x / 4, c = x % 4 * 2;
    unsigned A[4], B[2] = {0x3c003c00, 0x3c003c00};
    float d[4] = {0, 0, 0, 0};
    A[0] = *(unsigned *)&a[g][c];
    A[1] = *(unsigned *)&a[g + 8][c]; // HAZARD uninitialized-read error
    A[2] = *(unsigned *)&a[g][c + 8];
    A[3] = *(unsigned *)&a[g + 8][c + 8]; // maybe uninitialized-read
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(A[0]), "r"(A[1]), "r"(A[2]), "r"(A[3]), "r"(B[0]), "r"(B[1]));
    out[g * 8 + c] = d[0];
    out[g * 8 + c + 1] = d[2];
}
