// A thread an element, in double; the last parameter receives |alpha * x[i]| + |y[i]|, which bounds
// the rounding errors that a kernel in float may make.
__global__ void reference(int n, float alpha, const float *x, double *y, double *y_magnitude)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double product = (double)alpha * (double)x[i];
        y_magnitude[i] = fabs(product) + fabs(y[i]);
        y[i] = product + y[i];
    }
}
