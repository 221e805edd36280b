// warpgrade: transpose
#define TILE 32
#define ROWS 8
// Every warp takes four rows of the tile at a time; whole tiles have a path without checks.
__global__ void transpose(const float *in, float *out, int width, int height)
{
    __shared__ float box[TILE][TILE + 1];
    const unsigned w = width, h = height;
    const unsigned x0 = blockIdx.x * TILE, y0 = blockIdx.y * TILE;
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    if (x0 + TILE <= w && y0 + TILE <= h) {
        for (unsigned k = ty; k < TILE; k += ROWS)
            box[k][tx] = __ldg(&in[(y0 + k) * w + x0 + tx]);
        __syncthreads();
        for (unsigned k = ty; k < TILE; k += ROWS)
            out[(x0 + k) * h + y0 + tx] = box[tx][k];
        return;
    }
    for (unsigned k = ty; k < TILE; k += ROWS) {
        unsigned yy = min(y0 + k, h - 1), xx = min(x0 + tx, w - 1);
        box[k][tx] = in[yy * w + xx];
    }
    __syncthreads();
    for (unsigned k = ty; k < TILE; k += ROWS)
        if (x0 + k < w)
            if (y0 + tx < h)
                out[(x0 + k) * h + y0 + tx] = box[tx][k];
}
