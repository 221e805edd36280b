// Padded tiles of 8 x 8: rows of 32 bytes, a sector each.
__global__ void transpose(const float *in, float *out, int width)
{
    __shared__ float tile[8][9];
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    x = blockIdx.y * 8 + threadIdx.x;
    y = blockIdx.x * 8 + threadIdx.y;
    out[y * width + x] = tile[threadIdx.x][threadIdx.y];
}
