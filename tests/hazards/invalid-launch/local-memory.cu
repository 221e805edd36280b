// sim --grid 1 --block 32 --arg i32*32=zero --arg i32=6
// expect invalid-launch error
__global__ void k(int *a, int n) {
    float big[300000];
    for (int i = 0; i < 300000; i++)
        big[i] = (float)i;
    a[threadIdx.x] = (int)big[n * 100];
}
