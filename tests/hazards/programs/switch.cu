// sim --grid 1 --block 64 --arg i32*64=iota:const --arg i32*64=uninit
__global__ void k(const int *a, int *b) {
    int x = a[threadIdx.x], r;
    switch (x % 9) {
    case 0: r = x * x; break;
    case 1: r = x + 100; break;
    case 2: r = -x; // falls through
    case 3: r = x << 3; break;
    case 4: r = x ^ 0x55; break;
    case 5: r = x / 3; break;
    case 6: for (r = 0; r * r < x; r++) ; break;
    case 7: r = x % 5; break;
    default: r = 7; break;
    }
    b[threadIdx.x] = r;
}
__global__ void check(const int *a, int *b) {
    for (int x = 0; x < 64; x++) {
        int m = x - x / 9 * 9, root = 0;
        while (root * root < x)
            root++;
        int e = m == 0 ? x * x : m == 1 ? x + 100 : m == 2 || m == 3 ? 8 * x : m == 4 ? x ^ 0x55 : m == 5 ? x / 3 : m == 6 ? root : m == 7 ? x % 5 : 7;
        if (e != b[x])
            __trap();
    }
}
