// warpgrade: saxpy
// aim: have all threads wait for ever for nothing
// defence: deadlocks are found as such
// verdict: hazard
// says: deadlock
__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    while (*(volatile float *)y == *(volatile float *)y)
        ;
}
