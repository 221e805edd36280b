// sim --device-debug --grid 1 --block 32 --arg i32*32=zero --arg i32=2
// says 24 bytes before the beginning of the local variable a
__global__ void k(int *out, int n) {
    int far[4], gap[4], a[4];
    for (int i = 0; i < 4; i++)
        far[i] = gap[i] = a[i] = i;
    out[threadIdx.x] = a[n * -3] + gap[n & 3] + far[n & 3]; // HAZARD out-of-bounds error
}
