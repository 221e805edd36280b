// As thread_a_pair, but a word of bits tells where a column of the table goes up and where down (Myers), and a
// thread reads its words sixteen bytes at a time.
__global__ void compare(const uint4 *from, const uint4 *to, int *distances, int pairs)
{
    int pair = blockIdx.x * blockDim.x + threadIdx.x;
    if (pair >= pairs)
        return;
    unsigned a[8], b[8], low = 0, high = 0;
    *(uint4 *)a = from[pair * 2];
    *(uint4 *)(a + 4) = from[pair * 2 + 1];
    *(uint4 *)b = to[pair * 2];
    *(uint4 *)(b + 4) = to[pair * 2 + 1];
#pragma unroll
    for (int i = 0; i < 32; i++) {
        low |= (a[i / 4] >> i % 4 * 8 & 1) << i;
        high |= (a[i / 4] >> (i % 4 * 8 + 1) & 1) << i;
    }
    unsigned up = 0xffffffffu, down = 0;
    int distance = 32;
#pragma unroll
    for (int j = 0; j < 32; j++) {
        unsigned letter = b[j / 4] >> j % 4 * 8;
        unsigned same = (letter & 1 ? low : ~low) & (letter & 2 ? high : ~high);
        unsigned straight = same | down;
        unsigned zero = (((same & up) + up) ^ up) | same;
        unsigned right_up = down | ~(zero | up), right_down = up & zero;
        distance += (right_up >> 31) - (right_down >> 31);
        right_up = right_up << 1 | 1;
        right_down <<= 1;
        up = right_down | ~(straight | right_up);
        down = right_up & straight;
    }
    distances[pair] = distance;
}
