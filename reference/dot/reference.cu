// One block, in double: each thread adds up every blockDim.x-th product, then thread 0 adds up the
// threads' sums in order. The last parameter receives the sum of |a[i] * b[i]|, which bounds the
// rounding errors of a sum in float in any order.
__global__ void reference(const float *a, const float *b, double *out, int n, double *out_magnitude)
{
    __shared__ double sums[1024], magnitudes[1024];
    double sum = 0, magnitude = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        double product = (double)a[i] * (double)b[i];
        sum += product;
        magnitude += fabs(product);
    }
    sums[threadIdx.x] = sum;
    magnitudes[threadIdx.x] = magnitude;
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    for (int t = 1; t < blockDim.x; t++) {
        sum += sums[t];
        magnitude += magnitudes[t];
    }
    out_magnitude[0] = magnitude + fabs(out[0]);
    out[0] += sum;
}
