// warpgrade: padded-rows
//
// a[y][x] = s[y] * a[y][x] for every row y < height and every column x < width. From one row to the
// next it is the width, rounded up to a multiple of 32; what lies after a row stays as it is.
// Launched with blocks of 32 x 8 threads, as many as cover the matrix:
//     scale_rows<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(a, s, width, height);
//
// Grade it with `warpgrade grade padded-rows.cu`.

__global__ void scale_rows(float *a, const float *s, int width, int height)
{
    // Step 1: the row and the column of this thread.

    // Step 2: leave where there is no such row or no such column.

    // Step 3: the distance from one row to the next.

    // Step 4: scale the element.
}
