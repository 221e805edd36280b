// Much that threads know of each other: each thread publishes at many words, each after a fence.
__global__ void atomics_fenced(int *data, int n, int turns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int turn = 0; turn < turns; turn++) {
        __threadfence();
        atomicAdd(&data[(i + turn * 4096) % n], 1);
    }
}
