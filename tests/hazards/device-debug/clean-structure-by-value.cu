// sim --grid 1 --block 64 --device-debug --arg f32*64=uniform --arg f32*64=zero
// A structure too large for registers is passed by value, and read as memory by its function; the
// copy is the function's own.
struct Coef {
    float c[33];
};
__device__ float change(Coef k, int i, float x) {
    k.c[i % 33] += x;
    return k.c[i % 33];
}
__device__ float poly(Coef k, float x) {
    float s = 0;
    for (int i = 0; i < 33; i++)
        s = s * x + k.c[i];
    return s + change(k, 3, x) - k.c[3];
}
__global__ void k(const float *x, float *y) {
    Coef c;
    for (int j = 0; j < 33; j++)
        c.c[j] = j;
    y[threadIdx.x] = poly(c, x[threadIdx.x]);
}
