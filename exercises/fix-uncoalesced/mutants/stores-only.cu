// Right: only the stores are in order, after a detour through shared memory.
#define ELEMENTS 8
#define THREADS  256

__global__ void convert(const float *fahrenheit, float *celsius, int n)
{
    __shared__ float tile[THREADS * ELEMENTS];
    int base = blockIdx.x * THREADS * ELEMENTS;
    for (int k = 0; k < ELEMENTS; k++) {
        int i = threadIdx.x * ELEMENTS + k;
        tile[i] = base + i < n ? (fahrenheit[base + i] - 32.0f) * (5.0f / 9.0f) : 0.0f;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < THREADS * ELEMENTS; i += THREADS)
        if (base + i < n)
            celsius[base + i] = tile[i];
}
