// sim --grid 2 --block 32 --arg i32*2=zero
// both poll, and one of them acts every thousandth time only
__global__ void k(volatile int *a) {
    if (threadIdx.x)
        return;
    if (blockIdx.x == 0) {
        while (a[0] == 0)
            ;
    } else {
        for (int trip = 0; a[1] == 0; trip++)
            if (trip == 1000) {
                __threadfence();
                a[0] = 1;
                a[1] = 1;
            }
    }
}
