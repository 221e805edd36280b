extern "C" __global__ void as_sums(const float *in, double *out, int n, double *magnitude)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[i];
        magnitude[i] = 1;
    }
}
