// warpgrade: pitch-copy
//
// Host pointers. Row r of image begins at image + r * stride, row r of out at out + r * cols; store
// gain * image in the rows x cols pixels of out.
#include <cuda_runtime.h>

void solve(const float *image, float *out, float gain, int rows, int cols, int stride)
{
    // your code: a kernel above; cudaMallocPitch, cudaMemcpy2D there and back, cudaFree here
}
