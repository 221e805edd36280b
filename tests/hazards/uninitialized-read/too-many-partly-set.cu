// sim --grid 1 --block 1024 --arg i32*320=iota:const --arg i32*1024=uninit
// says can be followed
// expect unsupported error
__global__ void k(const int *at, int *out) {
    __shared__ int s[1024];
    int a[320], t = threadIdx.x;
    int partly = s[t] & 0x0f0f0f0f; // never used
    for (int i = 0; i < 320; i++)
        a[at[i]] = partly;
    out[t] = a[at[t & 7]] & 0x10101010;
}
