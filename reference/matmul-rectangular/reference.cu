// One thread an element, in double; the last parameter receives the sum of |M[row][i] * N[i][col]|,
// which bounds the rounding errors of a sum in float in any order.
__global__ void reference(const float *M, const float *N, double *P, int j, int k, int l,
                          double *P_magnitude)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= j || col >= l)
        return;
    double sum = 0, magnitude = 0;
    for (int i = 0; i < k; i++) {
        double product = (double)M[(size_t)row * k + i] * (double)N[(size_t)i * l + col];
        sum += product;
        magnitude += fabs(product);
    }
    P[(size_t)row * l + col] = sum;
    P_magnitude[(size_t)row * l + col] = magnitude;
}
