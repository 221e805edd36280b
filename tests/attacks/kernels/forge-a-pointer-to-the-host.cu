// warpgrade: saxpy
// aim: read the grader's process through a pointer made of a number
// defence: the simulated GPU has an address space of its own; pointers are handles
// verdict: hazard
// says: out-of-bounds
__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    const unsigned long addresses[] = {0x400000, 0x7ffff7dd0000, 0xffffffffff600000, 8};
    for (int i = 0; i < 4; i++)
        y[0] += *(const float *)addresses[i];
}
