// sim --grid 2 --block 32 --arg 'f32*640=uniform:const' --arg 'f32*10=zero' --arg i32=10
// advises atomicAdd
// Each thread adds a row of its own: the elements are shared on purpose.
__global__ void k(const float *x, float *sums, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int c = 0; c < columns; c++)
        sums[c] += x[row * columns + c]; // HAZARD global-race error
}
