// The median of each pixel and the eight around it, those at the image's edges taken again: a thread a
// pixel, which sorts the nine by insertion.
__global__ void filter(const float *in, float *out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    float window[9];
    int count = 0;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            int row = min(max(y + dy, 0), n - 1), column = min(max(x + dx, 0), n - 1);
            float value = in[row * n + column];
            int at = count++;
            while (at > 0 && window[at - 1] > value) {
                window[at] = window[at - 1];
                at--;
            }
            window[at] = value;
        }
    }
    out[y * n + x] = window[4];
}
