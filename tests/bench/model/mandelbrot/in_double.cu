// As pixels, in double precision.
__global__ void escape(int *out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    double a = 3.0 * x / n - 2.0, b = 2.0 * y / n - 1.0, re = 0.0, im = 0.0;
    int steps = 0;
    while (steps < 256 && re * re + im * im < 4.0) {
        double next = re * re - im * im + a;
        im = 2.0 * re * im + b;
        re = next;
        steps++;
    }
    out[y * n + x] = steps;
}
