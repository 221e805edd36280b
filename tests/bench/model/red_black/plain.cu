// Half a step of Gauss and Seidel: every other cell of a square, as the white ones of a chessboard, becomes the
// mean of its neighbours less what acts there; the edge stays. A thread a cell, of which half have nothing to
// do.
__global__ void relax(float *cells, const float *forces, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || x >= n - 1 || y < 1 || y >= n - 1 || (x + y) % 2 != 0)
        return;
    int i = y * n + x;
    cells[i] = 0.25f * (cells[i - 1] + cells[i + 1] + cells[i - n] + cells[i + n] - forces[i]);
}
