// The vectors of a text's words: for each token its row of 256 numbers of the table, and its place's row added.
// A thread an element. Tokens are any words; the table has 65536 rows.
__global__ void look_up(const unsigned *tokens, const float *table, const float *places, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int token = i / 256, d = i % 256;
    if (token >= n)
        return;
    out[i] = table[tokens[token] % 65536 * 256 + d] + places[token % 512 * 256 + d];
}
