// sim --grid 4 --block 64 --arg u64*1=zero
__global__ void k(unsigned long long *hits) {
    unsigned x = blockIdx.x * 64 + threadIdx.x + 1, inside = 0;
    for (int i = 0; i < 200; i++) {
        float p[2];
        for (int j = 0; j < 2; j++) {
            x = x * 1664525u + 1013904223u;
            p[j] = (x >> 8) * (1.0f / 16777216);
        }
        inside += p[0] * p[0] + p[1] * p[1] < 1;
    }
    atomicAdd(hits, (unsigned long long)inside);
}
__global__ void check(unsigned long long *hits) {
    double pi = 4.0 * *hits / (256 * 200);
    if (!(pi > 3.1 && pi < 3.2))
        __trap();
}
