// A 5 x 5 convolution, a thread a pixel, all from global memory, the weights constant. The image has a
// frame of two pixels.
__constant__ float weights[25] = {.01f, .02f, .03f, .04f, .05f, .06f, .07f, .08f, .09f,
                                  .10f, .11f, .12f, .13f, .12f, .11f, .10f, .09f, .08f,
                                  .07f, .06f, .05f, .04f, .03f, .02f, .01f};

__global__ void convolve(const float *in, float *out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    float sum = 0.0f;
    for (int dy = 0; dy < 5; dy++)
        for (int dx = 0; dx < 5; dx++)
            sum += weights[dy * 5 + dx] * in[(y + dy) * (n + 4) + x + dx];
    out[y * n + x] = sum;
}
