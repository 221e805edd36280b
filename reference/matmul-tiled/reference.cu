// One thread an element, in double; the last parameter receives the sum of |M[row][i] * N[i][col]|,
// which bounds the rounding errors of a sum in float in any order.
__global__ void reference(const float *M, const float *N, double *P, int tiles, double *P_magnitude)
{
    int width = tiles * 16;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= width || col >= width)
        return;
    double sum = 0, magnitude = 0;
    for (int i = 0; i < width; i++) {
        double product = (double)M[(size_t)row * width + i] * (double)N[(size_t)i * width + col];
        sum += product;
        magnitude += fabs(product);
    }
    P[(size_t)row * width + col] = sum;
    P_magnitude[(size_t)row * width + col] = magnitude;
}
