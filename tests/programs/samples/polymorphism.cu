// Classes on the device: virtual functions, templates, lambdas, function pointers, recursion.
// nvcc: --extended-lambda
#include "check.h"

class Shape {
  public:
    __device__ virtual float area() const = 0;
    __device__ virtual ~Shape() {}
};

class Circle : public Shape {
    float r;

  public:
    __device__ explicit Circle(float radius) : r(radius) {}
    __device__ float area() const override { return 3.0f * r * r; }
};

class Square : public Shape {
    float a;

  public:
    __device__ explicit Square(float side) : a(side) {}
    __device__ float area() const override { return a * a; }
};

typedef float (*Operation)(float, float);
__device__ float plus(float a, float b) { return a + b; }
__device__ float times(float a, float b) { return a * b; }
__device__ Operation operations[2] = {plus, times};

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

template <typename F> __global__ void apply(F f, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = f(i);
}

__global__ void shapes(float *out) {
    Circle circle(threadIdx.x);
    Square square(threadIdx.x + 1);
    const Shape &shape = threadIdx.x % 2 ? (const Shape &)circle : (const Shape &)square;
    out[threadIdx.x] = shape.area();
}

__global__ void operate(float *out) {
    out[threadIdx.x] = operations[threadIdx.x & 1](threadIdx.x, 5.0f);
}

void print(const char *name, const float *d, int n) {
    float h[16];
    CHECK(cudaMemcpy(h, d, n * sizeof(float), cudaMemcpyDeviceToHost));
    printf("%s:", name);
    for (int i = 0; i < n; i++)
        printf(" %g", h[i]);
    printf("\n");
}

int main() {
    float *d, offset = 0.5f;
    CHECK(cudaMalloc(&d, 16 * sizeof(float)));
    shapes<<<1, 8>>>(d);
    print("areas", d, 8);
    operate<<<1, 8>>>(d);
    print("operations", d, 8);
    apply<<<1, 32>>>([=] __device__(int i) { return i * 2 + offset; }, d, 8);
    print("lambda", d, 8);
    apply<<<1, 32>>>([] __device__(int i) { return float(fibonacci(i + 5)); }, d, 8);
    print("recursion", d, 8);
    CHECK(cudaFree(d));
}
