// As plain, but a block of 256 copies the word and its piece of the text to shared memory first.
__global__ void find(const unsigned char *text, const unsigned char *word, unsigned *count, int n)
{
    __shared__ unsigned char piece[256 + 7], letters[8];
    int begin = blockIdx.x * 256, t = threadIdx.x;
    for (int i = t; i < 256 + 7 && begin + i < n; i += 256)
        piece[i] = text[begin + i] & 3;
    if (t < 8)
        letters[t] = word[t] & 3;
    __syncthreads();
    if (begin + t + 8 > n)
        return;
    for (int letter = 0; letter < 8; letter++)
        if (piece[t + letter] != letters[letter])
            return;
    atomicAdd(count, 1);
}
