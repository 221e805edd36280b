// How often eight letters stand in a text of n, in an alphabet of four: the lowest two bits of a byte. A
// thread a place, which gives up at the first letter that is another one.
__global__ void find(const unsigned char *text, const unsigned char *word, unsigned *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 8 > n)
        return;
    for (int letter = 0; letter < 8; letter++)
        if ((text[i + letter] & 3) != (word[letter] & 3))
            return;
    atomicAdd(count, 1);
}
