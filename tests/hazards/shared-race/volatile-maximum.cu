// sim --grid 1 --block 32 --arg f32*32=iota --arg f32*1=zero
// advises `__syncwarp()` between one
// says volatile orders nothing
// What is compared is selected, too, and goes back to where it came from: data, not a flag.
__global__ void k(const float *a, float *highest) {
    __shared__ volatile float s[32];
    int t = threadIdx.x;
    float mine = s[t] = a[t];
    __syncwarp();
    if (t < 16) {
        for (int d = 8; d > 0; d /= 2) {
            float other = s[t + d]; // HAZARD shared-race error
            mine = other > mine ? other : mine;
            s[t] = mine; // HAZARD shared-race error
        }
    }
    if (t == 0 && mine > 1.0f)
        *highest = mine;
}
