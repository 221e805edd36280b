// warpgrade: saxpy
// aim: carry /etc/passwd out with the preprocessor's #embed
// defence: the file is not there, and this compiler has no #embed
// landlock: fails
// verdict: compile-error
__device__ const unsigned char stolen[] = {
#embed "/etc/passwd"
};
__global__ void saxpy(int n, float alpha, const float *x, float *y) {
    printf("%s", (const char *)stolen);
}
