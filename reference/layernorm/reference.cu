// A block a row, in double. The last parameter receives what rounding errors in float are in
// proportion to: the scaled element and mean, before they cancel, and the shift.
__device__ static double block_sum(double value)
{
    __shared__ double shared[256];
    int tid = threadIdx.x;
    __syncthreads();
    shared[tid] = value;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (tid < half)
            shared[tid] += shared[tid + half];
    }
    __syncthreads();
    return shared[0];
}

__global__ void reference(const float *x, const float *gamma, const float *beta, double *y,
                          int rows, int cols, double *y_magnitude)
{
    long long first = (long long)blockIdx.x * cols;
    double sum = 0, magnitude = 0, squares = 0;
    for (int c = threadIdx.x; c < cols; c += 256) {
        sum += (double)x[first + c];
        magnitude += fabs((double)x[first + c]);
    }
    double mean = block_sum(sum) / cols, size = block_sum(magnitude) / cols;
    for (int c = threadIdx.x; c < cols; c += 256) {
        double difference = (double)x[first + c] - mean;
        squares += difference * difference;
    }
    double scale = 1 / sqrt(block_sum(squares) / cols + 1e-5);
    for (int c = threadIdx.x; c < cols; c += 256) {
        double value = (double)x[first + c], factor = scale * (double)gamma[c];
        y[first + c] = (value - mean) * factor + (double)beta[c];
        y_magnitude[first + c] = (fabs(value) + size) * fabs(factor) + fabs((double)beta[c]);
    }
}
