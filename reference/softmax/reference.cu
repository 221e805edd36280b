// A block a row, in double. The last parameter receives the result itself: all terms are positive,
// so that a kernel in float is off by so many roundings of it.
__global__ void reference(const float *x, double *y, int rows, int cols, double *y_magnitude)
{
    __shared__ double shared[256];
    const float *row = x + (long long)blockIdx.x * cols;
    int tid = threadIdx.x;
    double largest = -INFINITY, sum = 0;
    for (int c = tid; c < cols; c += 256)
        largest = fmax(largest, (double)row[c]);
    shared[tid] = largest;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (tid < half)
            shared[tid] = fmax(shared[tid], shared[tid + half]);
    }
    __syncthreads();
    largest = shared[0];
    __syncthreads();
    for (int c = tid; c < cols; c += 256)
        sum += exp((double)row[c] - largest);
    shared[tid] = sum;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (tid < half)
            shared[tid] += shared[tid + half];
    }
    __syncthreads();
    for (int c = tid; c < cols; c += 256) {
        double quotient = exp((double)row[c] - largest) / shared[0];
        y[(long long)blockIdx.x * cols + c] = quotient;
        y_magnitude[(long long)blockIdx.x * cols + c] = quotient;
    }
}
