// In how many ways n queens stand on a board of n x n and threaten none of each other: a thread for each place
// of the first four, which tries what is left, row by row, and keeps where each queen stands.
__global__ void count(int *ways, int n)
{
    int start = blockIdx.x * blockDim.x + threadIdx.x, place[16], found = 0;
    if (start >= n * n * n * n)
        return;
    for (int row = 0; row < 4; row++) {
        place[row] = start % n;
        start /= n;
        for (int other = 0; other < row; other++)
            if (place[other] == place[row] || abs(place[other] - place[row]) == row - other)
                return;
    }
    int row = 4;
    place[4] = -1;
    while (row >= 4) {
        place[row]++;
        if (place[row] == n) {
            row--;
            continue;
        }
        bool safe = true;
        for (int other = 0; other < row && safe; other++)
            safe = place[other] != place[row] && abs(place[other] - place[row]) != row - other;
        if (!safe)
            continue;
        if (row == n - 1) {
            found++;
        } else {
            row++;
            place[row] = -1;
        }
    }
    atomicAdd(ways, found);
}
