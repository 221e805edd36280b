// warpgrade: saxpy
// aim: have the simulator allocate a terabyte of local memory
// defence: the sizes of a launch are checked before anything is allocated
// verdict: skipped
// exit: 3
// says: a variable of more than 1024 MiB
__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    asm volatile(".local .align 4 .b8 huge[1099511627776];");
    y[0] = 1;
}
