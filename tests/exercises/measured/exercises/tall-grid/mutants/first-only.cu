#define ROWS 256
extern "C" __global__ void copy(const int *in, int *out, int n)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        out[0] = in[0];
}
