// sim --device-debug --grid 1 --block 32 --arg f32*32=zero --arg i32=5
// says the local variable weights
struct pair {
    float x, y;
};
__global__ void k(float *out, int n) {
    float weights[3];
    pair points[4];
    for (int i = 0; i < 3; i++)
        weights[i] = i;
    for (int i = 0; i < 4; i++)
        points[i] = pair{1, 2};
    for (int i = 0; i < n; i++)
        out[threadIdx.x] += weights[i] * points[i & 3].x; // HAZARD out-of-bounds error
}
