// sim --grid 1 --block 64 --arg i32*128=iota:const --arg i32*128=uninit
__global__ void k(const int *a, int *b) {
    __shared__ int s[128];
    int t = threadIdx.x, step = 1;
    s[2 * t] = a[2 * t];
    s[2 * t + 1] = a[2 * t + 1];
    for (int d = 64; d > 0; d /= 2, step *= 2) {
        __syncthreads();
        if (t < d)
            s[step * (2 * t + 2) - 1] += s[step * (2 * t + 1) - 1];
    }
    if (t == 0)
        s[127] = 0;
    for (int d = 1; d < 128; d *= 2) {
        step /= 2;
        __syncthreads();
        if (t < d) {
            int i = step * (2 * t + 1) - 1, j = step * (2 * t + 2) - 1, x = s[i];
            s[i] = s[j];
            s[j] += x;
        }
    }
    __syncthreads();
    b[2 * t] = s[2 * t];
    b[2 * t + 1] = s[2 * t + 1];
}
