// sim --grid 1 --block 64 --arg f64*64=uniform:const --arg f64*64=uninit
__global__ void k(const double *a, double *b) {
    double x = a[threadIdx.x];
    b[threadIdx.x] = sin(x) * sin(x) + cos(x) * cos(x) + exp(log(fabs(x) + 1)) - fabs(x) + hypot(3.0, 4.0) + 1 / (1 / (x + 2)) - x +
                     sqrt(fabs(x)) * rsqrt(fabs(x) + 1e-300) + fma(x, x, -x * x) + __dadd_rd(x, -x) + nearbyint(2.5);
}
__global__ void check(const double *a, double *b) {
    for (int i = 0; i < 64; i++)
        if (!(fabs(b[i] - (1 + 1 + 5 + 2 + 1 + 2)) < 1e-9))
            __trap();
}
