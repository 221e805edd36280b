// sim --grid 1 --block 64 --arg f64*64=uniform:const --arg f64*64=uninit
struct twice {
    __device__ double operator()(double x) const { return 2 * x; }
};
struct plus {
    double value;
    __device__ double operator()(double x) const { return x + value; }
};
template <typename F, typename G, int N> __device__ double apply(F f, G g, double x) {
    for (int i = 0; i < N; i++)
        x = g(f(x));
    return x;
}
__global__ void k(const double *a, double *b) {
    b[threadIdx.x] = apply<twice, plus, 3>(twice{}, plus{1.5}, a[threadIdx.x]);
}
__global__ void check(const double *a, double *b) {
    for (int i = 0; i < 64; i++)
        if (!(fabs(8 * a[i] + 10.5 - b[i]) < 1e-12))
            __trap();
}
