// Each load of a warp comes from 32 rows of the input.
#define TILE 32
#define ROWS 8

__global__ void transpose(const float *in, float *out, int width, int height)
{
    int x = blockIdx.y * TILE + threadIdx.x;
    int y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        if (x < height && y + j < width)
            out[(y + j) * height + x] = in[x * width + y + j];
}
