// sim --grid 1 --block 1 --arg u32*8=zero
// says at s[4], of which nothing has written s[5] yet
__global__ void k(unsigned *out) {
    __shared__ __align__(4) unsigned short s[8];
    for (int i = 0; i < 5; i++)
        s[i] = i;
    out[0] = atomicAdd((unsigned *)s + 2, 1); // HAZARD uninitialized-read error
}
