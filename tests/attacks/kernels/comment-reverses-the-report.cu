// warpgrade: saxpy
// aim: show a reviewer other code than the compiler reads (bidirectional controls)
// defence: reports/escape.c: such characters are shown as \u202e
// verdict: compile-error
// says: \u202e
__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    /*‮ } ⁦if (isAdmin)⁩ ⁦ begin */ y[0] = undeclared; /* end ‮ { ⁦*/
}
