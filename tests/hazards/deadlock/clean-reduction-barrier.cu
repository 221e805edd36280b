// sim --grid 1 --block 128 --arg i32*128=uninit
__global__ void k(int *b) {
    int any = 0;
    if (threadIdx.x < 64)
        asm volatile("{ .reg .pred p, q; setp.ne.u32 p, %1, 0; bar.red.or.pred q, 1, 64, p; selp.u32 %0, 1, 0, q; }"
                     : "=r"(any) : "r"(threadIdx.x) : "memory");
    b[threadIdx.x] = any;
}
