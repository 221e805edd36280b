// As block_a_pair, but eight warps are a block, and a lane keeps its column: what it needs of its neighbour
// comes by a shuffle.
__global__ void compare(const unsigned char *from, const unsigned char *to, int *distances, int pairs)
{
    int pair = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (pair >= pairs)
        return;
    int a = from[pair * 32 + lane] & 3, b = to[pair * 32 + lane] & 3;
    int above = lane + 1, diagonal = lane, left;
    for (int step = 0; step < 63; step++) {
        int i = step - lane;
        int letter = __shfl_sync(0xffffffffu, a, i & 31);
        left = __shfl_up_sync(0xffffffffu, above, 1);
        if (lane == 0)
            left = i + 1;
        if (i >= 0 && i < 32) {
            above = min(diagonal + (letter != b), min(above, left) + 1);
            diagonal = left;
        }
    }
    if (lane == 31)
        distances[pair] = above;
}
