// sim --grid 1 --block 1 --arg i32*2=uninit
__global__ void k(int *out) {
    int got = 0;
    void *last = nullptr;
    while (void *p = malloc(1 << 20)) {
        last = p;
        got++;
    }
    free(last);
    out[0] = got;
    out[1] = malloc(1 << 20) != nullptr;
}
__global__ void check(int *out) { // 8 MiB less what the blocks themselves cost
    if (out[0] != 7 || out[1] != 1)
        __trap();
}
