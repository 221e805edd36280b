// sim --grid 1 --block 64 --arg i32*64=zero
// says 32 threads poll at line 27
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
#define init(bar, count) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(AT(bar)), "r"(count) : "memory")
#define arrive(bar) \
    [&] { unsigned long long state_; \
       asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state_) : "r"(AT(bar)) : "memory"); \
       return state_; }()
#define test_parity(bar, parity) \
    [&] { unsigned done_; \
       asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; " \
                    "selp.b32 %0, 1, 0, p; }" \
                    : "=r"(done_) : "r"(AT(bar)), "r"(parity) : "memory"); \
       return done_; }()
__global__ void k(int *out) {
    __shared__ unsigned long long full, empty;
    if (threadIdx.x == 0) {
        init(&full, 32);
        init(&empty, 32);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        while (!test_parity(&empty, 0)) // HAZARD deadlock error
            ;
        arrive(&full);
    } else {
        while (!test_parity(&full, 0))
            ;
        arrive(&empty);
    }
    out[threadIdx.x] = 1;
}
