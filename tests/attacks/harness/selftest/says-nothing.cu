// warpgrade: saxpy
// aim: not say what its file says
// defence: the harness notices
// verdict: wrong-answer
// says: these words are nowhere
__global__ void saxpy(int n, float alpha, const float *x, float *y) {}
