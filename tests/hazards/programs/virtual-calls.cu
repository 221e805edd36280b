// sim --grid 1 --block 64 --arg f32*64=uninit
struct shape {
    __device__ virtual float area() const = 0;
};
struct square : shape {
    float side;
    __device__ square(float s) : side(s) {}
    __device__ float area() const override { return side * side; }
};
struct circle : shape {
    float radius;
    __device__ circle(float r) : radius(r) {}
    __device__ float area() const override { return 3 * radius * radius; }
};
__device__ __noinline__ float measure(const shape &s) { return s.area(); }
__global__ void k(float *b) {
    square s(threadIdx.x);
    circle c(threadIdx.x);
    b[threadIdx.x] = measure(threadIdx.x & 1 ? (shape &)s : (shape &)c);
}
__global__ void check(float *b) {
    for (int i = 0; i < 64; i++)
        if (b[i] != (i & 1 ? 1 : 3) * i * i)
            __trap();
}
