// warpgrade: reduce-shuffle
// Vector loads where the address allows, a scalar tail elsewhere.
#define BLOCK_SIZE 64
#define ITEMS 32

__global__ void reduce(const float *x, float *out, int n)
{
    __shared__ float two[2];
    int begin = blockIdx.x * BLOCK_SIZE * ITEMS;
    float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    if (begin + BLOCK_SIZE * ITEMS <= n) {
        const float4 *v = (const float4 *)(x + begin);
        for (int r = 0; r < ITEMS / 4; r++) {
            float4 q = v[r * BLOCK_SIZE + threadIdx.x];
            s0 += q.x;
            s1 += q.y;
            s2 += q.z;
            s3 += q.w;
        }
    } else {
        for (int e = begin + threadIdx.x; e < n; e += BLOCK_SIZE)
            s0 += x[e];
    }
    float s = (s0 + s1) + (s2 + s3);
    for (int width = 32; width > 1; width /= 2)
        s += __shfl_down_sync(0xffffffff, s, width / 2, width);
    if (threadIdx.x % 32 == 0)
        two[threadIdx.x / 32] = s;
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(out, two[0] + two[1]);
}
