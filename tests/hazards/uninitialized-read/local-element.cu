// sim --grid 1 --block 32 --arg i32*32=iota:const --arg i32*32=uninit
// both builds
__global__ void k(const int *at, int *out) {
    int a[8], t = threadIdx.x;
    for (int i = 0; i < 7; i++)
        a[i] = i * t;
    out[t] = a[at[t] & 7]; // HAZARD uninitialized-read error
}
