// warpgrade: bitonic-launches
//
// Device pointers: the n elements of input, in ascending order, into output.
#include <cuda_runtime.h>

void solve(const int *input, int *output, int n)
{
    // your code: a kernel for one step above, and a launch for each step here
}
