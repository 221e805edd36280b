extern "C" __global__ void copy(const float *in, float *out, int n)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        out[0] = in[0];
}
