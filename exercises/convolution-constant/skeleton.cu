// warpgrade: convolution-constant
//
// out[y][x] is the sum of FILTER[j][i] * in[y + j - 2][x + i - 2] over j, i = 0 ... 4; pixels
// outside of the image count as zero.
// Launched with blocks of 32 x 8 threads, as many as cover the image:
//     dim3 blocks((width + 31) / 32, (height + 7) / 8);
//     convolve<<<blocks, dim3(32, 8)>>>(in, out, width, height);
//
// Grade it with `warpgrade grade convolution-constant.cu`.

// All threads of a warp should read the same element of it at the same time.
__constant__ float FILTER[5][5] = {
    {0.25f, -0.50f, 1.00f, 0.75f, -1.25f},
    {1.50f, -2.00f, 3.00f, -0.25f, 0.50f},
    {-0.75f, 4.00f, 8.00f, -3.00f, 1.25f},
    {2.00f, 0.50f, -1.50f, 2.50f, -0.50f},
    {-1.00f, 1.75f, 0.25f, -2.50f, 0.75f},
};

__global__ void convolve(const float *in, float *out, int width, int height)
{
    // Step 1: the row and the column of this thread's pixel. Does it exist?

    // Step 2: add the 25 products, as far as there are pixels for them.

    // Step 3: store the sum.

    // Later: let the block load its pixels and their rim once, into shared memory.
}
