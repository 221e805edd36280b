// A thread a cell, in double; the last parameter receives the sum of the terms' magnitudes, which
// bounds the rounding errors of a sum in float in any order.
__global__ void reference(const float *in, double *out, int nx, int ny, int nz, float c0, float c1,
                          double *out_magnitude)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z;
    if (x >= nx || y >= ny)
        return;
    size_t row = nx, plane = row * ny, i = z * plane + y * row + x;
    bool border = x == 0 || y == 0 || z == 0 || x == nx - 1 || y == ny - 1 || z == nz - 1;
    if (border) {
        out[i] = in[i];
        out_magnitude[i] = fabs((double)in[i]);
        return;
    }
    double neighbours[6] = {in[i - 1],   in[i + 1],     in[i - row],
                            in[i + row], in[i - plane], in[i + plane]};
    double sum = (double)c0 * in[i], magnitude = fabs(sum);
    for (int k = 0; k < 6; k++) {
        sum += (double)c1 * neighbours[k];
        magnitude += fabs((double)c1 * neighbours[k]);
    }
    out[i] = sum;
    out_magnitude[i] = magnitude;
}
