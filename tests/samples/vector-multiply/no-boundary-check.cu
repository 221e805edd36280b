// warpgrade: vector-multiply
// Wrong: the last block has more threads than there are elements left.

__global__ void vector_multiply(float *a, const float *b, const float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = b[i] * c[i];
}
