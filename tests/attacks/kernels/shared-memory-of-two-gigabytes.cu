// warpgrade: saxpy
// aim: have the simulator allocate what no device has
// defence: the sizes of a launch are checked before anything is allocated
// verdict: skipped
// exit: 3
// says: a variable of more than 1024 MiB
__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    asm volatile(".shared .align 4 .b8 huge[2147483648];");
    y[0] = 1;
}
