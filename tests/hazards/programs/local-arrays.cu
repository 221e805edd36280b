// sim --grid 1 --block 32 --arg i32*32=iota:const --arg i32*32=uninit
__global__ void k(const int *a, int *b) {
    int stack[32], top = 0, sum = 0; // a traversal with a stack of its own
    stack[top++] = a[threadIdx.x] % 8 + 1;
    while (top > 0) {
        int n = stack[--top];
        sum += n;
        for (int i = 1; i < n && top < 32; i *= 2)
            if ((n - i) % 2)
                stack[top++] = n - i;
    }
    b[threadIdx.x] = sum;
}
__device__ int visit(int n) {
    int sum = n;
    for (int i = 1; i < n; i *= 2)
        if ((n - i) % 2)
            sum += visit(n - i);
    return sum;
}
__global__ void check(const int *a, int *b) {
    for (int i = 0; i < 32; i++)
        if (b[i] != visit(i % 8 + 1))
            __trap();
}
