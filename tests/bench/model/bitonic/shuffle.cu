// As shared, but the value stays in a register, and steps within a warp are shuffles.
__global__ void sort(unsigned *data)
{
    __shared__ unsigned piece[512];
    unsigned t = threadIdx.x, value = data[blockIdx.x * 512 + t];
    for (unsigned size = 2; size <= 512; size *= 2)
        for (unsigned step = size / 2; step > 0; step /= 2) {
            unsigned other;
            if (step < 32) {
                other = __shfl_xor_sync(0xffffffffu, value, step);
            } else {
                __syncthreads();
                piece[t] = value;
                __syncthreads();
                other = piece[t ^ step];
            }
            bool least = ((t & step) == 0) == ((t & size) == 0);
            value = least ? min(value, other) : max(value, other);
        }
    data[blockIdx.x * 512 + t] = value;
}
