// sim --grid 1 --block 1 --arg u32*8=zero --arg i32=6
// says read of 4 bytes at s[4], of which nothing has written s[6] yet
__global__ void k(unsigned *out, int n) {
    __shared__ __align__(4) char s[32];
    for (int i = 0; i < n; i++)
        s[i] = 'a';
    for (int i = 0; i < 2; i++)
        out[i] = ((unsigned *)s)[i] + 1; // HAZARD uninitialized-read error
}
