#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

__global__ void saxpy(float a, const float *x, const float *y, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a * x[i] + y[i];
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    int n = atoi(argv[1]);
    float a = (float)atof(argv[2]);
    size_t bytes = n * sizeof(float);
    float *x = (float *)malloc(bytes), *y = (float *)malloc(bytes), *out = (float *)malloc(bytes);
    for (int i = 0; i < n; i++)
        if (scanf("%f", &x[i]) != 1)
            return 2;
    for (int i = 0; i < n; i++)
        if (scanf("%f", &y[i]) != 1)
            return 2;
    float *dx, *dy, *dout;
    cudaMalloc(&dx, bytes);
    cudaMalloc(&dy, bytes);
    cudaMalloc(&dout, bytes);
    cudaMemcpy(dx, x, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y, bytes, cudaMemcpyHostToDevice);
    saxpy<<<(n + 255) / 256, 256>>>(a, x, y, out, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        printf("%.9g\n", out[i]);
    cudaFree(dx);
    cudaFree(dy);
    cudaFree(dout);
    return 0;
}
