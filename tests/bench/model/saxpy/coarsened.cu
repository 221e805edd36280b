// Four elements a thread, a block's width apart: coalesced, with four independent loads in flight.
#define COARSE 4

__global__ void saxpy(int n, float alpha, const float *x, float *y)
{
    int first = blockIdx.x * blockDim.x * COARSE + threadIdx.x;
    float a[COARSE], b[COARSE];
#pragma unroll
    for (int j = 0; j < COARSE; j++) {
        int i = first + j * blockDim.x;
        a[j] = i < n ? x[i] : 0.0f;
        b[j] = i < n ? y[i] : 0.0f;
    }
#pragma unroll
    for (int j = 0; j < COARSE; j++) {
        int i = first + j * blockDim.x;
        if (i < n)
            y[i] = alpha * a[j] + b[j];
    }
}
