// As marching, but a plane of the block's points and their neighbours stands in shared memory.
__global__ void heat(const float *in, float *out, int n)
{
    __shared__ float tile[10][34];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * 32 + tx, y = blockIdx.y * 8 + ty, first = blockIdx.z * 16;
    int plane = n * n, at = (first * n + y) * n + x;
    bool inner = x > 0 && y > 0 && x < n - 1 && y < n - 1;
    float below = first ? in[at - plane] : 0.0f, here = in[at];
    for (int z = first; z < first + 16; z++, at += plane) {
        float above = z < n - 1 ? in[at + plane] : 0.0f;
        tile[ty + 1][tx + 1] = here;
        if (tx == 0 && x > 0)
            tile[ty + 1][0] = in[at - 1];
        if (tx == 31 && x < n - 1)
            tile[ty + 1][33] = in[at + 1];
        if (ty == 0 && y > 0)
            tile[0][tx + 1] = in[at - n];
        if (ty == 7 && y < n - 1)
            tile[9][tx + 1] = in[at + n];
        __syncthreads();
        if (inner && z > 0 && z < n - 1)
            out[at] = 0.4f * here + 0.1f * (tile[ty + 1][tx] + tile[ty + 1][tx + 2] + tile[ty][tx + 1] +
                                            tile[ty + 2][tx + 1] + below + above);
        __syncthreads();
        below = here;
        here = above;
    }
}
