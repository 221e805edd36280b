// warpgrade: grayscale
//
// gray = (54 * red + 183 * green + 19 * blue + 128) / 256 for each pixel, in whole numbers. rgb has
// three bytes a pixel, gray has one; both are stored row by row.
// Launched with blocks of 16 x 16 threads, as many as cover the image:
//     dim3 blocks((width + 15) / 16, (height + 15) / 16);
//     grayscale<<<blocks, dim3(16, 16)>>>(rgb, gray, width, height);
//
// Grade it with `warpgrade grade grayscale.cu`.

__global__ void grayscale(const unsigned char *rgb, unsigned char *gray, int width, int height)
{
    // Step 1: the row and the column of this thread's pixel.

    // Step 2: leave where there is no such row or no such column.

    // Step 3: the number of the pixel, and the place of its red.

    // Step 4: add the three colours with their weights, and store the result.
}
