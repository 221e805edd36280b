// warpgrade: long-sums
extern "C" __global__ void copy(const float *in, float *out, int n)
{
}
