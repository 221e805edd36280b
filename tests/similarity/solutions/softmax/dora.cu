// warpgrade: softmax
#define BLOCK_SIZE 256
__global__ void softmax(const float *x, float *y, int rows, int cols)
{
    // exponentials are kept in y between the passes
    __shared__ float red[32];
    int r = blockIdx.x, t = threadIdx.x, lane = t & 31, wid = t >> 5;
    float v = -1.0f / 0.0f;
    for (int c = t; c < cols; c += 256) { float a = x[r * cols + c]; if (a > v) v = a; }
    for (int d = 1; d < 32; d += d) { float o = __shfl_xor_sync(0xffffffff, v, d); v = o > v ? o : v; }
    if (lane == 0) red[wid] = v;
    __syncthreads();
    if (wid == 0) {
        v = lane < 8 ? red[lane] : v;
        for (int d = 4; d; d /= 2) { float o = __shfl_xor_sync(0xffffffff, v, d); v = o > v ? o : v; }
        if (lane == 0) red[8] = v;
    }
    __syncthreads();
    v = red[8];
    float s = 0.0f;
    for (int c = t; c < cols; c += 256) {
        float e = exp2f((x[r * cols + c] - v) * 1.44269504f);
        y[r * cols + c] = e;
        s += e;
    }
    for (int d = 16; d; d /= 2) s += __shfl_down_sync(0xffffffff, s, d);
    if (lane == 0) red[16 + wid] = s;
    __syncthreads();
    s = 0;
    for (int k = 16; k < 24; k++) s += red[k];
    for (int c = t; c < cols; c += 256) y[r * cols + c] /= s;
}
