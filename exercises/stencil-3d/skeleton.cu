// warpgrade: stencil-3d
//
// out[z][y][x] = c0 * in[z][y][x] + c1 * (the sum of its six neighbours); cells of the border are
// copied. The grid has nz planes of ny rows of nx cells.
// Launched with blocks of 32 x 8 threads, for PLANES planes each:
//     dim3 blocks((nx + 31) / 32, (ny + 7) / 8, (nz + PLANES - 1) / PLANES);
//     stencil<<<blocks, dim3(32, 8)>>>(in, out, nx, ny, nz, c0, c1);
//
// You may change PLANES to any number from 1 to 64; the launch follows it.
// Grade it with `warpgrade grade stencil-3d.cu`.

#define PLANES 1

__global__ void stencil(const float *in, float *out, int nx, int ny, int nz, float c0, float c1)
{
    // Step 1: the row and the column of this thread's cells, and its first plane.

    // Step 2: for each of its planes, as far as they exist: copy the cell if it lies on the border,
    //         else weight it and its six neighbours.
}
