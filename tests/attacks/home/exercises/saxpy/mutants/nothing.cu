// warpgrade: saxpy
__global__ void saxpy(int n, float alpha, const float *x, float *y) {}
