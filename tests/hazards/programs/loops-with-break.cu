// sim --grid 1 --block 64 --arg i32*64=iota:const --arg i32*64=uninit
__global__ void k(const int *a, int *b) {
    int x = a[threadIdx.x], found = -1;
    for (int i = 0; i < 64 && found < 0; i++) {
        if (i % 3 == 1)
            continue;
        for (int j = 0; j <= i; j++) {
            if (i * j > 500)
                goto out;
            if (i * j == x) {
                found = i * 100 + j;
                break;
            }
        }
    }
out:
    b[threadIdx.x] = found;
}
__global__ void check(const int *a, int *b) {
    for (int x = 0; x < 64; x++) {
        int found = -1, i, j;
        bool stop = false;
        for (i = 0; i < 64 && found < 0 && !stop; i++)
            for (j = 0; j <= i && i % 3 != 1 && found < 0 && !stop; j++) {
                if (i * j > 500)
                    stop = true;
                else if (i * j == x)
                    found = i * 100 + j;
            }
        if (b[x] != found)
            __trap();
    }
}
