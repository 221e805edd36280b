// warpgrade: saxpy
// aim: keep the compiler busy with a constant that never gets ready
// defence: the front end's own bound of constant expressions, else its time
// once: yes
// verdict: compile-error
// within: 14
constexpr unsigned long spin(unsigned long n) {
    unsigned long sum = 0;
    for (unsigned long i = 0; i < n; i++)
        for (unsigned long j = 0; j < n; j++)
            sum += i ^ j;
    return sum;
}
constexpr unsigned long endless = spin(1ul << 40);
__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    y[0] = endless;
}
