// warpgrade: saxpy
// aim: take all the machine's memory with malloc() in the kernel
// defence: the device's heap has the size that CUDA's has
// verdict: wrong-answer
__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    void **last = 0;
    for (int i = 0; i < 100; i++) {
        void **block = (void **)malloc(1 << 22);
        if (!block)
            break;
        *block = last;
        last = block;
    }
}
