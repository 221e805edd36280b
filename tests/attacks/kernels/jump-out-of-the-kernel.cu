// warpgrade: saxpy
// aim: have the simulator execute what is no code, through a table of branches and a call by pointer
// defence: targets are checked when the PTX is decoded, pointers when they are called
// verdict: hazard
__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    void (*nowhere)(float *) = (void (*)(float *))(size_t)(0x1234567 + n);
    nowhere(y);
}
