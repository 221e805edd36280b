// sim --grid 2 --block 32 --arg i32*1=zero --arg i32*2=zero --arg i32*8=uninit
// both builds
// The data's place is used again when the reader has said that it is done.
__global__ void k(volatile int *data, volatile int *flag, int *out) {
    if (threadIdx.x)
        return;
    for (int i = 0; i < 8; i++) {
        if (blockIdx.x == 0) {
            while (flag[1] != i)
                ;
            __threadfence();
            *data = i * i;
            __threadfence();
            flag[0] = i + 1;
        } else {
            while (flag[0] != i + 1)
                ;
            __threadfence();
            out[i] = *data;
            __threadfence();
            flag[1] = i + 1;
        }
    }
}
