// sim --grid 1 --block 32 --arg i32*32=zero
// advises the number of arrivals
// says the mbarrier bar[1], whose phase lacks 32 of 32 arrivals
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
    __shared__ unsigned long long bar[2];
    if (threadIdx.x < 2)
        init(&bar[threadIdx.x], blockDim.x);
    __syncthreads();
    arrive(&bar[1]);
    while (!test_parity(&bar[1], 1 - 1))
        ;
    while (!test_parity(&bar[1], 1)) // HAZARD deadlock error
        ;
    out[threadIdx.x] = 1;
}
