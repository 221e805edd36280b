// sim --grid 1 --block 1 --arg i32*64=iota --arg i32*1=uninit
__global__ void k(int *a, int *b) {
    int sum = 0;
    for (int *p = a; p != a + 64; p++)
        sum += *p;
    *b = sum;
}
