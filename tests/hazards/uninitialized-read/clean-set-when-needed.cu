// sim --grid 1 --block 64 --arg f32*64=iota --arg f32*64=zero --arg i32=6
// unset in the first turn, and used only later; computed with, and not needed
__global__ void k(const float *a, float *out, int n) {
    float last, scale;
    bool have = false, scaled = a[threadIdx.x] > 20;
    if (scaled)
        scale = a[threadIdx.x] * 0.5f;
    float sum = 0;
    for (int i = 0; i < n; i++) {
        float x = a[(i * 7 + threadIdx.x) % 64];
        if (have)
            sum += x * last;
        if (x > 5) {
            last = x;
            have = true;
        }
    }
    out[threadIdx.x] = scaled ? sum * scale : sum;
}
