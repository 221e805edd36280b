// A polynomial of degree 15 of every number: each power by the library.
__global__ void evaluate(const float *in, const float *factors, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float total = 0.0f;
    for (int k = 0; k < 16; k++)
        total += factors[k] * powf(in[i], (float)k);
    out[i] = total;
}
