// warpgrade: box-blur
//
// out[y][x] is the mean of the pixels of the image that are at most radius rows and at most radius
// columns away from (y, x). At the border there are fewer of them. radius is 0 to 8.
// Launched with blocks of 32 x 8 threads, as many as cover the image:
//     dim3 blocks((width + 31) / 32, (height + 7) / 8);
//     box_blur<<<blocks, dim3(32, 8)>>>(in, out, width, height, radius);
//
// Grade it with `warpgrade grade box-blur.cu`.

__global__ void box_blur(const float *in, float *out, int width, int height, int radius)
{
    // Step 1: the row and the column of this thread's pixel. Does it exist?

    // Step 2: add the pixels of the window that exist, and count them.

    // Step 3: store the mean.

    // Later: let the block load each pixel once, into shared memory.
}
