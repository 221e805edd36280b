// A thread goes through 16 planes and keeps the values above and below in registers.
__global__ void heat(const float *in, float *out, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int first = blockIdx.z * 16;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1)
        return;
    int plane = n * n, at = (first * n + y) * n + x;
    float below = first ? in[at - plane] : 0.0f, here = in[at];
    for (int z = first; z < first + 16 && z < n - 1; z++, at += plane) {
        float above = in[at + plane];
        if (z > 0)
            out[at] = 0.4f * here + 0.1f * (in[at - 1] + in[at + 1] + in[at - n] + in[at + n] +
                                            below + above);
        below = here;
        here = above;
    }
}
