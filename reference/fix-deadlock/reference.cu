// One block, each thread along a part of its own; the tree joins pairs by value, then by index.
__device__ static bool before(int value, int index, int other_value, int other_index)
{
    return value != other_value ? value > other_value : index < other_index;
}

__global__ void reference(const int *x, int *lock, int *value, int *index, int n)
{
    __shared__ int values[1024], indices[1024];
    int tid = threadIdx.x, best = *value, place = *index;
    for (int i = tid; i < n; i += 1024)
        if (x[i] >= 0 && before(x[i], i, best, place))
            best = x[i], place = i;
    values[tid] = best;
    indices[tid] = place;
    __syncthreads();
    for (int half = 512; half > 0; half /= 2) {
        if (tid < half && before(values[tid + half], indices[tid + half], values[tid], indices[tid])) {
            values[tid] = values[tid + half];
            indices[tid] = indices[tid + half];
        }
        __syncthreads();
    }
    if (tid == 0) {
        *value = values[0];
        *index = indices[0];
        *lock = 0;
    }
}
