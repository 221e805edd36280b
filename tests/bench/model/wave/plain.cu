// A step of the wave equation on a square: what comes next of what is now and what was before, and rests at
// the edge. A thread a point.
__global__ void step(const float *before, const float *now, float *next, int n, float c)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    int i = y * n + x;
    if (x == 0 || y == 0 || x == n - 1 || y == n - 1) {
        next[i] = 0.0f;
        return;
    }
    next[i] = 2.0f * now[i] - before[i] +
              c * (now[i - 1] + now[i + 1] + now[i - n] + now[i + n] - 4.0f * now[i]);
}
