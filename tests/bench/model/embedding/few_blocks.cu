// As plain, but a block has one token after the other, and there are as many blocks as multiprocessors.
__global__ void look_up(const unsigned *tokens, const float *table, const float *places, float *out, int n)
{
    for (int token = blockIdx.x; token < n; token += gridDim.x)
        out[token * 256 + threadIdx.x] =
            table[tokens[token] % 65536 * 256 + threadIdx.x] + places[token % 512 * 256 + threadIdx.x];
}
