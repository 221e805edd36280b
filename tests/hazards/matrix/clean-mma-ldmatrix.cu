// sim --grid 1 --block 64 --arg f16*512=uniform:const --arg f16*256=uniform:const --arg f32*512=uninit
#include <cuda_fp16.h>
// C = A B by mma.m16n8k16: A 32 by 16 (a warp has 16 rows), B 16 by 16 by row, through ldmatrix.
__global__ void k(const half *a, const half *b, float *c) {
    __shared__ __align__(16) half sa[32][24], sb[16][24]; // padded: no bank conflicts
    for (int i = threadIdx.x; i < 512; i += 64)
        sa[i / 16][i % 16] = a[i];
    for (int i = threadIdx.x; i < 256; i += 64)
        sb[i / 16][i % 16] = b[i];
    __syncthreads();
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned x[4], y[2];
    unsigned from = (unsigned)__cvta_generic_to_shared(&sa[warp * 16 + lane % 16][lane / 16 * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(from)
                 : "memory");
    for (int half_of_n = 0; half_of_n < 2; half_of_n++) {
        unsigned at = (unsigned)__cvta_generic_to_shared(&sb[lane % 16][half_of_n * 8]);
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
                     : "=r"(y[0]), "=r"(y[1])
                     : "r"(at)
                     : "memory");
        float d[4] = {0, 0, 0, 0};
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
                     "{%0,%1,%2,%3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
        for (int i = 0; i < 4; i++)
            c[(warp * 16 + lane / 4 + i / 2 * 8) * 16 + half_of_n * 8 + lane % 4 * 2 + i % 2] = d[i];
    }
}
__global__ void check(const half *a, const half *b, float *c) {
    for (int i = 0; i < 32; i++)
        for (int j = 0; j < 16; j++) {
            double sum = 0;
            for (int q = 0; q < 16; q++)
                sum += (double)(float)a[i * 16 + q] * (float)b[q * 16 + j];
            if (!(fabs(sum - c[i * 16 + j]) < 1e-5))
                __trap();
        }
}
