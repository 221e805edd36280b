// sim --grid 1 --block 32 --arg i32*32=iota:const --arg i32*32=uninit
__global__ void k(const int *in, int *out) {
    int *a = new int[8], *b = new int[8];
    memset(a, 0, 32);
    a[3] = in[threadIdx.x];
    memcpy(b, a, 32);
    out[threadIdx.x] = b[3] + b[0];
    delete[] a;
    delete[] b;
}
__global__ void check(const int *in, int *out) {
    for (int i = 0; i < 32; i++)
        if (out[i] != i)
            __trap();
}
