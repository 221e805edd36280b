// warpgrade: spmv-csr
//
// y = A * x for a sparse matrix A of `rows` rows and `width` columns, of which `nonzeros` elements are
// stored, row after row: those of row r are values[k], in column columns[k], for every k from
// row_offsets[r] to row_offsets[r + 1] - 1.
// Launched as spmv<<<(rows + 7) / 8, 256>>>(row_offsets, columns, values, x, y, rows, width,
// nonzeros): a warp a row.
//
// Grade it with `warpgrade grade spmv-csr.cu`.

__global__ void spmv(const int *row_offsets, const int *columns, const float *values,
                     const float *x, float *y, int rows, int width, int nonzeros)
{
    // Step 1: which row is this warp's, and which lane of the warp is this thread?

    // Step 2: where do the elements of the row begin and end?

    // Step 3: the lanes take them in turn; each adds up the products of its own.

    // Step 4: join the sums of the 32 lanes.

    // Step 5: one lane stores the result. Is there one for a row without elements, too?
}
