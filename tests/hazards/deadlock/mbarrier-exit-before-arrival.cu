// sim --grid 1 --block 96 --arg i32*96=zero --arg i32=70
// says lacks 26 of 96 arrivals; 26 threads have left the kernel
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
__global__ void k(int *out, int n) {
    __shared__ unsigned long long bar;
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    if ((int)threadIdx.x >= n)
        return;
    unsigned long long state = arrive(&bar);
    while (!test_wait(&bar, state)) // HAZARD deadlock error
        ;
    out[threadIdx.x] = 1;
}
