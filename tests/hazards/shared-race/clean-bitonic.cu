// sim --grid 1 --block 128 --arg u32*128=uniform
__global__ void k(unsigned *a) {
    __shared__ unsigned s[128];
    int t = threadIdx.x;
    s[t] = a[t];
    for (int size = 2; size <= 128; size *= 2)
        for (int d = size / 2; d > 0; d /= 2) {
            __syncthreads();
            int other = t ^ d;
            if (other > t && (s[t] > s[other]) == ((t & size) == 0)) {
                unsigned x = s[t];
                s[t] = s[other];
                s[other] = x;
            }
        }
    __syncthreads();
    a[t] = s[t];
}
__global__ void check(unsigned *a) {
    for (int i = 1; i < 128; i++)
        if (a[i - 1] > a[i])
            __trap();
}
