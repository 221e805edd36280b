// warpgrade: saxpy
// aim: change what warpgrade's own code after the submission means
// defence: what follows the submission only asks questions; the answers are checked, and a
//     question that does not compile is left out
// verdict: compile-error
// says: is not a kernel
__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        y[i] = alpha * x[i] + y[i];
}
#define saxpy printf
#define threadIdx blockIdx
#define assert(x)
#define sizeof(x) 0
#define const
#define extern static
#define __global__ __device__
#define __device__ syntax error
#define typedef }
#define template {
#define static_assert(...)
#define namespace class
