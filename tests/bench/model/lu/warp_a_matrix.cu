// As block_a_matrix, but a warp a matrix, eight of them a block: a lane has a column of the padded tile.
__global__ void factor(const float *in, float *out)
{
    __shared__ float tiles[8][32][33];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    float(*a)[33] = tiles[warp];
    size_t begin = ((size_t)blockIdx.x * 8 + warp) * 1024;
    for (int row = 0; row < 32; row++)
        a[row][lane] = in[begin + row * 32 + lane] + (row == lane ? 32.0f : 0.0f);
    __syncwarp();
    for (int k = 0; k < 31; k++) {
        if (lane > k)
            a[lane][k] /= a[k][k];
        __syncwarp();
        if (lane > k)
            for (int row = k + 1; row < 32; row++)
                a[row][lane] -= a[row][k] * a[k][lane];
        __syncwarp();
    }
    for (int row = 0; row < 32; row++)
        out[begin + row * 32 + lane] = a[row][lane];
}
