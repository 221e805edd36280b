// As thread_a_pair, but the words' first letters stand together, then their second ones, and so on, and a
// thread takes its letters into registers.
__global__ void compare(const unsigned char *from, const unsigned char *to, int *distances, int pairs)
{
    int pair = blockIdx.x * blockDim.x + threadIdx.x;
    if (pair >= pairs)
        return;
    int row[32], letters[32];
#pragma unroll
    for (int j = 0; j < 32; j++) {
        row[j] = j + 1;
        letters[j] = to[j * pairs + pair] & 3;
    }
#pragma unroll 1
    for (int i = 0; i < 32; i++) {
        int letter = from[i * pairs + pair] & 3, diagonal = i, left = i + 1;
#pragma unroll
        for (int j = 0; j < 32; j++) {
            int changed = diagonal + (letter != letters[j]);
            diagonal = row[j];
            left = row[j] = min(changed, min(row[j], left) + 1);
        }
    }
    distances[pair] = row[31];
}
