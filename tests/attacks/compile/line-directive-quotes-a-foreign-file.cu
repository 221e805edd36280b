// warpgrade: saxpy
// aim: have the report quote another file, by a #line that claims the error stands there
// defence: the report quotes the submission's own text from memory and opens no file that a
//     compiler names
// landlock: fails
// verdict: compile-error
// says: undeclared
__global__ void saxpy(int n, float alpha, const float *x, float *y) {
#line 1 "/etc/passwd"
    y[0] = undeclared;
#line 1 "@OTHER@/saxpy.cu"
    y[0] = undeclared_as_well;
#line 2000000000 "../../other/saxpy.cu"
    y[0] = undeclared_again;
}
