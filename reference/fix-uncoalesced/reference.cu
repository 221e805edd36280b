// A thread an element, in double.
__global__ void reference(const float *fahrenheit, double *celsius, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        celsius[i] = ((double)fahrenheit[i] - 32.0) * 5.0 / 9.0;
}
