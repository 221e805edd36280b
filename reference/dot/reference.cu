// One thread, in double, from the first element to the last; the last parameter receives the sum of
// |a[i] * b[i]|, which bounds the rounding errors of a sum in float in any order.
__global__ void reference(const float *a, const float *b, double *out, int n, double *out_magnitude)
{
    double sum = out[0], magnitude = fabs(out[0]);
    for (int i = 0; i < n; i++) {
        double product = (double)a[i] * (double)b[i];
        sum += product;
        magnitude += fabs(product);
    }
    out[0] = sum;
    out_magnitude[0] = magnitude;
}
