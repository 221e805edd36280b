// As pixels, but the lanes of a warp are far from each other: rows of it, each its own number of steps.
__global__ void escape(int *out, int n)
{
    int t = (blockIdx.y * gridDim.x + blockIdx.x) * 256 + threadIdx.y * 32 + threadIdx.x;
    int y = t % n, x = t / n, row = (y * 97) % n;
    float a = 3.0f * x / n - 2.0f, b = 2.0f * row / n - 1.0f, re = 0.0f, im = 0.0f;
    int steps = 0;
    while (steps < 256 && re * re + im * im < 4.0f) {
        float next = re * re - im * im + a;
        im = 2.0f * re * im + b;
        re = next;
        steps++;
    }
    out[row * n + x] = steps;
}
