// warpgrade: saxpy
// aim: find the expected result in memory next to the output
// defence: the reference runs in a worker of its own; no host address exists on the simulated GPU
// verdict: hazard
// says: out-of-bounds
__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int away = -4096; away < 4096; away++)
        if (i < n && y[i + away] == alpha * x[i] + y[i])
            y[i] = y[i + away];
}
