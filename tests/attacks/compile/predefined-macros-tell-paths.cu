// warpgrade: saxpy
// aim: learn from __FILE__ and __BASE_FILE__ where the grader keeps its files
// defence: the compiler gets the file's name without its folder
// verdict: pass
// never: $WORK
// never: /tmp/warpgrade
#include <cstdio>
__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        y[i] = alpha * x[i] + y[i];
    if (threadIdx.x == 0)
        printf("%s %s\n", __FILE__, __func__);
}
