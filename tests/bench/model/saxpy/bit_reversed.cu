// The element that a thread takes is its number with the bits reversed: no two lanes share a sector.
// n is a power of two.
__global__ void saxpy(int n, float alpha, const float *x, float *y)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned j = __brev(i) >> (__clz(n) + 1);
    y[j] = alpha * x[j] + y[j];
}
