// Four neighbouring keys in the registers of each thread: distances 1 and 2 stay within the thread,
// those up to 64 within the warp (shuffles), and only the six steps with distances from 128 on go
// through shared memory, 16 bytes a thread and without a bank conflict.
#define BLOCK_SIZE 256
#define EACH 4
#define MOST_KEYS (BLOCK_SIZE * EACH)
#define LAST 0x7fffffff
#define ALL 0xffffffffu

__device__ static void sort_pair(int &left, int &right, bool up)
{
    int smaller = min(left, right), larger = max(left, right);
    left = up ? smaller : larger;
    right = up ? larger : smaller;
}

// A step whose partners are in other threads: all four keys keep the smaller or all the larger
// ones.
template <int DISTANCE>
__device__ static void exchange(int *key, int4 *shared, bool up)
{
    int tid = threadIdx.x, other[EACH];
    bool keeps_smaller = ((tid * EACH & DISTANCE) == 0) == up;
    if (DISTANCE < 32 * EACH) {
#pragma unroll
        for (int k = 0; k < EACH; k++)
            other[k] = __shfl_xor_sync(ALL, key[k], DISTANCE / EACH);
    } else {
        __syncthreads();
        shared[tid] = make_int4(key[0], key[1], key[2], key[3]);
        __syncthreads();
        int4 quad = shared[tid ^ (DISTANCE / EACH)];
        other[0] = quad.x;
        other[1] = quad.y;
        other[2] = quad.z;
        other[3] = quad.w;
    }
#pragma unroll
    for (int k = 0; k < EACH; k++)
        key[k] = keeps_smaller ? min(key[k], other[k]) : max(key[k], other[k]);
}

template <int SIZE, int DISTANCE> __device__ static void merge(int *key, int4 *shared)
{
    int first = threadIdx.x * EACH;
    if constexpr (DISTANCE >= EACH) {
        exchange<DISTANCE>(key, shared, (first & SIZE) == 0);
    } else {
#pragma unroll
        for (int k = 0; k < EACH; k++)
            if ((k & DISTANCE) == 0)
                sort_pair(key[k], key[k + DISTANCE], ((first + k) & SIZE) == 0);
    }
    if constexpr (DISTANCE > 1)
        merge<SIZE, DISTANCE / 2>(key, shared);
}

// `keys` is how many the network has to sort: the sizes above are already in order.
template <int SIZE> __device__ static void sort(int *key, int4 *shared, int keys)
{
    if (SIZE / 2 >= keys)
        return;
    merge<SIZE, SIZE / 2>(key, shared);
    if constexpr (SIZE < MOST_KEYS)
        sort<SIZE * 2>(key, shared, keys);
}

__global__ void __launch_bounds__(BLOCK_SIZE) sort_rows(int *keys, int rows, int cols)
{
    __shared__ int4 shared[BLOCK_SIZE];
    int *row = keys + (long long)blockIdx.x * cols;
    int first = threadIdx.x * EACH, key[EACH] = {LAST, LAST, LAST, LAST};
    if (cols % EACH == 0) {
        if (first < cols) {
            int4 quad = *reinterpret_cast<int4 *>(row + first);
            key[0] = quad.x;
            key[1] = quad.y;
            key[2] = quad.z;
            key[3] = quad.w;
        }
    } else {
#pragma unroll
        for (int k = 0; k < EACH; k++)
            if (first + k < cols)
                key[k] = row[first + k];
    }
    sort<2>(key, shared, cols);
    if (cols % EACH == 0) {
        if (first < cols)
            *reinterpret_cast<int4 *>(row + first) = make_int4(key[0], key[1], key[2], key[3]);
    } else {
#pragma unroll
        for (int k = 0; k < EACH; k++)
            if (first + k < cols)
                row[first + k] = key[k];
    }
}
