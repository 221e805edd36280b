// The sum in double precision, one after the other.
__global__ void reference(const float *input, double *sum, int n, double *sum_magnitude)
{
    double total = 0, magnitude = 0;
    for (int i = 0; i < n; i++) {
        total += input[i];
        magnitude += fabs((double)input[i]);
    }
    sum[0] = total;
    sum_magnitude[0] = magnitude;
}
