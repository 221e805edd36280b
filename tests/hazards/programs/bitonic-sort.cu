// sim --grid 1 --block 256 --arg u32*512=uniform
__global__ void k(unsigned *a) {
    __shared__ unsigned s[512];
    for (int i = threadIdx.x; i < 512; i += 256)
        s[i] = a[i];
    for (int size = 2; size <= 512; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            int t = threadIdx.x, i = 2 * t - (t & (stride - 1));
            bool up = (i & size) == 0;
            unsigned x = s[i], y = s[i + stride];
            if ((x > y) == up) {
                s[i] = y;
                s[i + stride] = x;
            }
        }
    __syncthreads();
    for (int i = threadIdx.x; i < 512; i += 256)
        a[i] = s[i];
}
__global__ void check(unsigned *a) {
    for (int i = 1; i < 512; i++)
        if (a[i - 1] > a[i])
            __trap();
}
