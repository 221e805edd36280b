// A warp a maximum, with no shared memory that could be left unset: each lane reads two groups of
// four neighbours with 16-byte loads, and the lanes compare through registers. Eight maxima a block.
#include <limits.h>

#define PER_MAXIMUM 256

__global__ void block_maxima(const int *__restrict__ x, int *__restrict__ largest, int n)
{
    int lane = threadIdx.x % 32;
    int b = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (b >= (n + PER_MAXIMUM - 1) / PER_MAXIMUM)
        return;
    int first = b * PER_MAXIMUM + 4 * lane;
    int result = INT_MIN;
    if ((b + 1) * PER_MAXIMUM <= n) {
        int4 p = *reinterpret_cast<const int4 *>(x + first);
        int4 q = *reinterpret_cast<const int4 *>(x + first + PER_MAXIMUM / 2);
        result = max(max(max(p.x, p.y), max(p.z, p.w)), max(max(q.x, q.y), max(q.z, q.w)));
    } else {
        for (int i = b * PER_MAXIMUM + lane; i < n; i += 32)
            result = max(result, x[i]);
    }
    for (int half = 16; half > 0; half /= 2)
        result = max(result, __shfl_down_sync(0xffffffff, result, half));
    if (lane == 0)
        largest[b] = result;
}
