// warpgrade: saxpy
__global__ void saxpy(int n, float alpha, const float *x, float *y)
{
    unsigned id = blockDim.x * blockIdx.x + threadIdx.x;
    if (id < (unsigned)n) { float t = x[id]; y[id] = fmaf(alpha, t, y[id]); }
}
