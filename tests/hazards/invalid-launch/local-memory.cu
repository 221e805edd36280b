// sim --grid 1 --block 32 --arg i32*32=zero --arg i32=6
__global__ void k(int *a, int n) {
    float big[300000];
    for (int i = 0; i < 300000; i++)
        big[i] = (float)i; // HAZARD invalid-launch error
    a[threadIdx.x] = (int)big[n * 100];
}
