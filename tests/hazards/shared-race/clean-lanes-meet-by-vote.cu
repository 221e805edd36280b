// sim --grid 1 --block 32 --arg i32*32=iota:const --arg i32*32=uninit
__global__ void k(const int *a, int *b) {
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = a[t];
    unsigned odd = __ballot_sync(~0u, t & 1);
    b[t] = s[(t + 5) % 32] + (int)(odd & 1);
    __any_sync(~0u, t == 3);
    s[t] = 0;
    __shfl_xor_sync(~0u, t, 1);
    b[t] += s[31 - t];
}
