// warpgrade: transpose
//
// out[x][y] = in[y][x] for every row y < height and column x < width; both are stored row by row,
// and out has width rows of height elements.
// Launched with a block of 32 x 8 threads for each tile of 32 x 32 elements of the input:
//     dim3 blocks((width + 31) / 32, (height + 31) / 32);
//     transpose<<<blocks, dim3(32, 8)>>>(in, out, width, height);
//
// Grade it with `warpgrade grade transpose.cu`.

#define TILE 32
#define ROWS 8

__global__ void transpose(const float *in, float *out, int width, int height)
{
    // Step 1: declare a tile that the block shares.

    // Step 2: load TILE / ROWS elements of the input into it, where they exist. Neighbouring
    //         threads read neighbours.

    // Step 3: wait for the others.

    // Step 4: store TILE / ROWS elements of the output, where they exist. Neighbouring threads
    //         write neighbours: which place of the tile is each from?
}
