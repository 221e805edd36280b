// A thread a block of elements.
__global__ void reference(const int *x, int *largest, int n)
{
    int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= (n + 255) / 256)
        return;
    int result = x[256 * b];
    for (int i = 256 * b; i < min(256 * b + 256, n); i++)
        result = x[i] > result ? x[i] : result;
    largest[b] = result;
}
