// As rows_of_four, but by Gauss and Jordan with the largest pivot of each column, whose row is found
// while it runs: the rows are an array that no register can hold.
__global__ void invert(const float4 *matrices, float4 *inverses, int n)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= n)
        return;
    float rows[4][8];
    for (int row = 0; row < 4; row++) {
        float4 four = matrices[at * 4 + row];
        rows[row][0] = four.x;
        rows[row][1] = four.y;
        rows[row][2] = four.z;
        rows[row][3] = four.w;
        for (int column = 0; column < 4; column++)
            rows[row][4 + column] = row == column;
    }
    for (int step = 0; step < 4; step++) {
        int pivot = step;
        for (int row = step + 1; row < 4; row++)
            if (fabsf(rows[row][step]) > fabsf(rows[pivot][step]))
                pivot = row;
        float over = 1.0f / rows[pivot][step];
        for (int column = 0; column < 8; column++) {
            float moved = rows[pivot][column] * over;
            rows[pivot][column] = rows[step][column];
            rows[step][column] = moved;
        }
        for (int row = 0; row < 4; row++) {
            if (row == step)
                continue;
            float factor = rows[row][step];
            for (int column = 0; column < 8; column++)
                rows[row][column] -= factor * rows[step][column];
        }
    }
    for (int row = 0; row < 4; row++)
        inverses[at * 4 + row] = make_float4(rows[row][4], rows[row][5], rows[row][6], rows[row][7]);
}
