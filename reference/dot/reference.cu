// One block, in double: each thread adds up every 1024th element, then the block halves its sums.
// The last parameter receives the sum of |a[i] * b[i]|, which bounds the rounding errors of a sum
// in float in any order.
__global__ void reference(const float *a, const float *b, double *out, int n, double *out_magnitude)
{
    __shared__ double sums[1024], magnitudes[1024];
    int tid = threadIdx.x;
    double sum = 0, magnitude = 0;
    for (long long i = tid; i < n; i += 1024) {
        sum += (double)a[i] * (double)b[i];
        magnitude += fabs((double)a[i] * (double)b[i]);
    }
    sums[tid] = sum;
    magnitudes[tid] = magnitude;
    for (int half = 512; half > 0; half /= 2) {
        __syncthreads();
        if (tid < half) {
            sums[tid] += sums[tid + half];
            magnitudes[tid] += magnitudes[tid + half];
        }
    }
    if (tid == 0) {
        out_magnitude[0] = fabs(out[0]) + magnitudes[0];
        out[0] += sums[0];
    }
}
