// sim --grid 1 --block 1 --arg i32*1=zero --budget 2000000
// one thread that waits for ten milliseconds of a card's clock, as samples do to keep it busy
__global__ void k(int *reads) {
    clock_t start = clock();
    int count = 1;
    while (clock() - start < 10 * 1000 * 1000)
        count++;
    *reads = count;
}
__global__ void check(int *reads) {
    if (*reads > 10 * 1000 * 1000 / 20) // as often as on a card
        __trap();
}
