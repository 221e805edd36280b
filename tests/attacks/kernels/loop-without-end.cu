// warpgrade: saxpy
// aim: never end
// defence: the budget of instructions
// verdict: time-limit
// says: instruction
__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    for (unsigned i = 1; i; i += 2)
        y[0] += i;
}
