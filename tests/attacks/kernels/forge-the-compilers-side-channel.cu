// warpgrade: saxpy
// aim: forge the lines by which the compile worker tells the simulator the shapes of variables
// defence: those lines are comments that change names in messages and nothing else, parsed as hostile
// verdict: hazard
// says: out-of-bounds
__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    asm volatile("\n//warpgrade shape y 99999999999999999999 -1 %s%s%n\n// warpgrade shape saxpy_param_3 4 4 4\n");
    y[threadIdx.x + 1000] = 1;
}
