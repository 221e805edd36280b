// sim --grid 1 --block 128 --arg i32*128=iota:const --arg i32*128=uninit
// says no barrier orders them
__global__ void k(const int *a, int *b) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = a[t];
    if (t < 64)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    else
        asm volatile("bar.sync 2, 64;" ::: "memory");
    b[t] = s[t ^ 64]; // HAZARD shared-race error
}
// maybe shared-race
// maybe uninitialized-read
