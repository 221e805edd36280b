// warpgrade: vector-multiply
// Subtly wrong: the product passes through an int and loses its fraction.

__global__ void vector_multiply(float *a, const float *b, const float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int product = b[i] * c[i];
        a[i] = product;
    }
}
