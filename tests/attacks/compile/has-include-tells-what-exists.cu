// warpgrade: saxpy
// aim: find out with __has_include which files the grader's machine has
// defence: the compiler's file system is the CUDA headers alone
// needs: plain-build
// landlock: fails
// verdict: pass
// never: is there
#if __has_include("/etc/passwd") || __has_include("@SOURCE@/reference/saxpy/reference.cu") ||      \
    __has_include("@WORK@/good.cu") || __has_include("/proc/self/status") || \
    __has_include("/usr/include/stdio.h")
#error the file is there
#endif
__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        y[i] = alpha * x[i] + y[i];
}
