// Each 512 keys are sorted by their lowest four bits, equal ones left in order, as a step of radix sort needs
// it: four times the keys with a bit of 0 go before those with 1, and a scan in shared memory counts them.
__global__ void sort_digit(const unsigned *in, unsigned *out)
{
    __shared__ unsigned keys[512];
    __shared__ int zeros[512];
    int t = threadIdx.x;
    keys[t] = in[blockIdx.x * 512 + t];
    for (int bit = 0; bit < 4; bit++) {
        unsigned key = keys[t], is_one = key >> bit & 1;
        zeros[t] = 1 - is_one;
        __syncthreads();
        for (int step = 1; step < 512; step *= 2) {
            int before = t >= step ? zeros[t - step] : 0;
            __syncthreads();
            zeros[t] += before;
            __syncthreads();
        }
        int place = is_one ? zeros[511] + t - zeros[t] : zeros[t] - 1;
        keys[place] = key;
        __syncthreads();
    }
    out[blockIdx.x * 512 + t] = keys[t];
}
