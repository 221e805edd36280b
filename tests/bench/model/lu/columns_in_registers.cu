// As warp_a_matrix, but a lane keeps its column in registers, and the factors come by shuffles.
__global__ void factor(const float *in, float *out)
{
    int lane = threadIdx.x % 32;
    size_t begin = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) / 32 * 1024 + lane;
    float a[32];
#pragma unroll
    for (int row = 0; row < 32; row++)
        a[row] = in[begin + row * 32] + (row == lane ? 32.0f : 0.0f);
#pragma unroll
    for (int k = 0; k < 31; k++) {
        float pivot = 1.0f / __shfl_sync(0xffffffffu, a[k], k);
#pragma unroll
        for (int row = k + 1; row < 32; row++) {
            float ratio = __shfl_sync(0xffffffffu, a[row], k) * pivot;
            a[row] = lane > k ? a[row] - ratio * a[k] : lane == k ? ratio : a[row];
        }
    }
#pragma unroll
    for (int row = 0; row < 32; row++)
        out[begin + row * 32] = a[row];
}
