// sim --device-debug --grid 2 --block 32 --arg f32*64=iota --arg f32*64=zero --arg i32=4
// says uses a variable that it has never given a value
__global__ void k(const float *a, float *out, int n) {
    float sum;
    for (int i = 0; i < n; i++)
        sum += a[i]; // HAZARD uninitialized-read error
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}
