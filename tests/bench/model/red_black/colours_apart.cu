// As half_the_threads, but the cells that change, the others, and what acts on the first stand in arrays of
// their own.
__global__ void relax(float *whites, const float *blacks, const float *forces, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int half = n / 2, x = 2 * t + y % 2;
    if (x < 1 || x >= n - 1 || y < 1 || y >= n - 1)
        return;
    int i = y * half + t, right = i + y % 2;
    whites[i] = 0.25f * (blacks[right - 1] + blacks[right] + blacks[i - half] + blacks[i + half] - forces[i]);
}
