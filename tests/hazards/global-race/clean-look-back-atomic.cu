// sim --grid 5 --block 64 --arg i32*320=iota:const --arg i32*320=uninit --arg i32*5=zero --arg i32*5=zero --arg u32*1=zero
__global__ void k(const int *a, int *b, int *sums, int *flag, unsigned *tickets) {
    __shared__ int s[64], id, before;
    int t = threadIdx.x;
    if (t == 0)
        id = atomicAdd(tickets, 1);
    __syncthreads();
    int x = a[id * 64 + t];
    s[t] = x;
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        int y = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += y;
        __syncthreads();
    }
    if (t == 0) {
        int sum = 0;
        if (id > 0) {
            while (atomicAdd(&flag[id - 1], 0) == 0)
                ;
            __threadfence();
            sum = sums[id - 1];
        }
        before = sum;
        sums[id] = sum + s[63];
        __threadfence();
        atomicExch(&flag[id], 1);
    }
    __syncthreads();
    b[id * 64 + t] = before + s[t];
}
__global__ void check(const int *a, int *b, int *sums, int *flag, unsigned *tickets) {
    for (int i = 0; i < 320; i++)
        if (b[i] != i * (i + 1) / 2)
            __trap();
}
