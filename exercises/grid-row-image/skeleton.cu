// warpgrade: grid-row-image
//
// out[y][x] = in[y][x] * factor / 256, where factor = 256 * (height - y) / height: whole numbers,
// and divisions that drop the remainder. The image is stored row by row.
// Launched with blocks of 192 threads, as many as cover a row, for each row:
//     fade<<<dim3((width + 191) / 192, height), 192>>>(in, out, width, height);
//
// Grade it with `warpgrade grade grid-row-image.cu`.

__global__ void fade(const unsigned char *in, unsigned char *out, int width, int height)
{
    // Step 1: the row and the column of this thread's pixel.

    // Step 2: leave where there is no such column.

    // Step 3: the factor of the row, and the new pixel.
}
