// sim --grid 1 --block 64 --arg i32*64=zero
// says 32 threads wait at line 25
#define AT(p) (unsigned)__cvta_generic_to_shared(p)
#define init(bar, count) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(AT(bar)), "r"(count) : "memory")
#define arrive(bar) \
    [&] { unsigned long long state_; \
       asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state_) : "r"(AT(bar)) : "memory"); \
       return state_; }()
#define test_wait(bar, state) \
    [&] { unsigned done_; \
       asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; " \
                    "selp.b32 %0, 1, 0, p; }" \
                    : "=r"(done_) : "r"(AT(bar)), "l"(state) : "memory"); \
       return done_; }()
__global__ void k(int *out) {
    __shared__ unsigned long long bar;
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    if (threadIdx.x < 32) {
        unsigned long long state = arrive(&bar);
        while (!test_wait(&bar, state)) // HAZARD deadlock error
            ;
    }
    __syncthreads();
    arrive(&bar);
    out[threadIdx.x] = 1;
}
