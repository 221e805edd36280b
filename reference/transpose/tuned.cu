// 64 x 64 elements a block of 256 threads, and 256 bytes in a row on either side. A thread loads
// four rows of 16 bytes, turns this square of 4 x 4 in its registers and puts the four columns into
// shared memory, from where they leave as rows of the output. The 16-byte places of a row of the
// tile are rotated by a quarter of the row's number, so that neither writing nor reading it has
// bank conflicts. Where rows do not start at multiples of 16 bytes, the tile goes element by
// element.
#define TILE    64
#define PLACES  (TILE / 4)
#define THREADS 256

__device__ static int place(int column, int group)
{
    return (group + column / 4) % PLACES;
}

__device__ static void by_elements(float (*tile)[TILE], const float *in, float *out, int width,
                                   int height, int left, int top, int thread)
{
    for (int e = thread; e < TILE * TILE; e += THREADS) {
        int x = e % TILE, y = e / TILE;
        if (left + x < width && top + y < height)
            tile[x][place(x, y / 4) * 4 + y % 4] = in[(size_t)(top + y) * width + left + x];
    }
    __syncthreads();
    for (int e = thread; e < TILE * TILE; e += THREADS) {
        int x = e / TILE, y = e % TILE;
        if (left + x < width && top + y < height)
            out[(size_t)(left + x) * height + top + y] = tile[x][place(x, y / 4) * 4 + y % 4];
    }
}

__global__ void __launch_bounds__(THREADS)
    transpose(const float *__restrict__ in, float *__restrict__ out, int width, int height)
{
    __shared__ float4 tile[TILE][PLACES];
    int left = blockIdx.x * TILE, top = blockIdx.y * TILE;
    int thread = threadIdx.y * blockDim.x + threadIdx.x;
    if (width % 4 || height % 4) {
        by_elements(reinterpret_cast<float(*)[TILE]>(tile), in, out, width, height, left, top,
                    thread);
        return;
    }
    int tx = thread % PLACES, ty = thread / PLACES;
    if (left + tx * 4 < width && top + ty * 4 < height) {
        const float *from = in + (size_t)(top + ty * 4) * width + left + tx * 4;
        float4 a = *reinterpret_cast<const float4 *>(from);
        float4 b = *reinterpret_cast<const float4 *>(from + (size_t)width);
        float4 c = *reinterpret_cast<const float4 *>(from + (size_t)width * 2);
        float4 d = *reinterpret_cast<const float4 *>(from + (size_t)width * 3);
        int p = place(tx * 4, ty);
        tile[tx * 4][p] = make_float4(a.x, b.x, c.x, d.x);
        tile[tx * 4 + 1][p] = make_float4(a.y, b.y, c.y, d.y);
        tile[tx * 4 + 2][p] = make_float4(a.z, b.z, c.z, d.z);
        tile[tx * 4 + 3][p] = make_float4(a.w, b.w, c.w, d.w);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 4; k++) {
        int x = ty + k * PLACES;
        if (left + x < width && top + tx * 4 < height)
            *reinterpret_cast<float4 *>(out + (size_t)(left + x) * height + top + tx * 4) =
                tile[x][place(x, tx)];
    }
}
