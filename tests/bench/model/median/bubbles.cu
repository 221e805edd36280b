// As insertion, but neighbours in the window are exchanged, until the five largest stand at its end.
__global__ void filter(const float *in, float *out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    float window[9];
    for (int i = 0; i < 9; i++) {
        int row = min(max(y + i / 3 - 1, 0), n - 1), column = min(max(x + i % 3 - 1, 0), n - 1);
        window[i] = in[row * n + column];
    }
    for (int pass = 0; pass < 5; pass++) {
        for (int i = 0; i < 8 - pass; i++) {
            if (window[i] > window[i + 1]) {
                float larger = window[i];
                window[i] = window[i + 1];
                window[i + 1] = larger;
            }
        }
    }
    out[y * n + x] = window[4];
}
