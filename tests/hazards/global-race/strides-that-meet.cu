// sim --grid 2 --block 64 --arg 'f32*512=uniform:const' --arg 'f32*512=iota' --arg i32=512
// advises one writer
// advises never atomicAdd
// The stride is too small by the block's threads: what one thread updates in a later round was
// another's in an earlier one. x[i] belongs to y[i] alone.
__global__ void k(const float *x, float *y, int n)
{
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x)
        y[i] = x[i] * 3.0f + y[i]; // HAZARD global-race error
}
