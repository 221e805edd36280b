// warpgrade: saxpy
// aim: take longer than it may
// defence: the harness notices
// verdict: wrong-answer
// within: 0.05
__global__ void saxpy(int n, float alpha, const float *x, float *y) {}
