// Each thread takes 16 elements in a row, so that neighbouring lanes are 64 bytes apart.
#define CHUNK 16

__global__ void saxpy(int n, float alpha, const float *x, float *y)
{
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * CHUNK;
    for (int i = first; i < first + CHUNK && i < n; i++)
        y[i] = alpha * x[i] + y[i];
}
