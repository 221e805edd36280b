// One block walks along the vector, 16 elements a thread and round, and needs no scratch space.
#define THREADS 256
#define EACH 16

__global__ void reference(const unsigned *x, unsigned *y, unsigned long long *state,
                          unsigned *ticket, int n)
{
    __shared__ unsigned sums[2][THREADS];
    int tid = threadIdx.x;
    unsigned before = 0;
    for (long long base = 0; base < n; base += THREADS * EACH) {
        long long first = base + tid * EACH;
        unsigned sum = 0;
        for (long long i = first; i < first + EACH && i < n; i++)
            sum += x[i];
        int from = 0;
        sums[0][tid] = sum;
        __syncthreads();
        for (int distance = 1; distance < THREADS; distance *= 2) {
            unsigned left = tid >= distance ? sums[from][tid - distance] : 0;
            sums[1 - from][tid] = sums[from][tid] + left;
            from = 1 - from;
            __syncthreads();
        }
        unsigned prefix = before + sums[from][tid] - sum;
        before += sums[from][THREADS - 1];
        for (long long i = first; i < first + EACH && i < n; i++) {
            prefix += x[i];
            y[i] = prefix;
        }
        __syncthreads();
    }
}
