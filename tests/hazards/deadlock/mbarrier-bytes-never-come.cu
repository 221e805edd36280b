// sim --grid 1 --block 32 --arch compute_90 --arg i32*32=zero
// says whose phase lacks 128 bytes of asynchronous copies
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
#define init(bar, count) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(AT(bar)), "r"(count) : "memory")
#define test_parity(bar, parity) \
    [&] { unsigned done_; \
       asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; " \
                    "selp.b32 %0, 1, 0, p; }" \
                    : "=r"(done_) : "r"(AT(bar)), "r"(parity) : "memory"); \
       return done_; }()
__global__ void k(int *out) {
    __shared__ unsigned long long bar;
    if (threadIdx.x == 0)
        init(&bar, 1);
    __syncthreads();
    if (threadIdx.x == 0)
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 128;" ::"r"(AT(&bar)) : "memory");
    while (!test_parity(&bar, 0)) // HAZARD deadlock error
        ;
    out[threadIdx.x] = 1;
}
