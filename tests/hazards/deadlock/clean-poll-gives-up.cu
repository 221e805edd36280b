// sim --grid 2 --block 64 --arg i32*130=zero
// no thread sets the flag, and the loop has a limit
__global__ void k(volatile int *a) {
    for (int trip = 0; trip < 50000; trip++)
        if (a[0] != 0)
            break;
    a[1 + blockIdx.x * 64 + threadIdx.x] = 1;
}
__global__ void check(int *a) {
    for (int i = 1; i < 129; i++)
        if (a[i] != 1)
            __trap();
}
