// warpgrade: saxpy
// aim: carry /etc/passwd out in the assembly's data
// defence: PTX has no .incbin; the assembler, in a jail of its own, refuses what it does not know
// landlock: fails
// verdict: compile-error
// exit: 1
// says: .incbin
__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    asm volatile(".incbin \"/etc/passwd\";");
}
