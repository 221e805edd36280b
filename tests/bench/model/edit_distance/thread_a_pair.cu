// How many letters must be put in, left out or changed to make one word of 32 letters another: Levenshtein's
// table, row by row. A thread a pair of words, with a row of the table of its own. A letter is a byte's lowest
// two bits.
__global__ void compare(const unsigned char *from, const unsigned char *to, int *distances, int pairs)
{
    int pair = blockIdx.x * blockDim.x + threadIdx.x;
    if (pair >= pairs)
        return;
    int row[33];
    for (int j = 0; j <= 32; j++)
        row[j] = j;
    for (int i = 0; i < 32; i++) {
        int diagonal = row[0];
        row[0] = i + 1;
        for (int j = 1; j <= 32; j++) {
            int changed = diagonal + ((from[pair * 32 + i] & 3) != (to[pair * 32 + j - 1] & 3));
            diagonal = row[j];
            row[j] = min(changed, min(row[j], row[j - 1]) + 1);
        }
    }
    distances[pair] = row[32];
}
