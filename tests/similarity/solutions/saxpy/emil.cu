// warpgrade: saxpy
__global__ void saxpy(int n, float alpha, const float *x, float *y)
{
    int tid = threadIdx.x, bid = blockIdx.x;
    int pos = bid * 256 + tid;
    if (!(pos < n)) { return; }
    float product = x[pos] * alpha;
    y[pos] = product + y[pos];
}
