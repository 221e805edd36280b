// As plain, but all eight letters are compared.
__global__ void find(const unsigned char *text, const unsigned char *word, unsigned *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 8 > n)
        return;
    bool same = true;
    for (int letter = 0; letter < 8; letter++)
        same &= (text[i + letter] & 3) == (word[letter] & 3);
    if (same)
        atomicAdd(count, 1);
}
