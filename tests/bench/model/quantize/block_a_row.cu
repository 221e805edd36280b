// As thread_a_row, but a block a row: a tree in shared memory finds the largest.
__global__ void quantize(const float *in, signed char *out, float *scales, int rows)
{
    __shared__ float largest[256];
    const float *from = in + (size_t)blockIdx.x * 1024;
    signed char *to = out + (size_t)blockIdx.x * 1024;
    float own = 0.0f;
    for (int i = threadIdx.x; i < 1024; i += 256)
        own = fmaxf(own, fabsf(from[i]));
    largest[threadIdx.x] = own;
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
        if (threadIdx.x < step)
            largest[threadIdx.x] = fmaxf(largest[threadIdx.x], largest[threadIdx.x + step]);
        __syncthreads();
    }
    for (int i = threadIdx.x; i < 1024; i += 256)
        to[i] = (signed char)rintf(from[i] * 127.0f / largest[0]);
    if (threadIdx.x == 0)
        scales[blockIdx.x] = largest[0] / 127.0f;
}
