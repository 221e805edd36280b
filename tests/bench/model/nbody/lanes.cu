// A warp a body: lanes take every 32nd other body and add up by shuffles.
__global__ void forces(const float4 *bodies, float4 *out, int n)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float4 own = bodies[i];
    float x = 0.0f, y = 0.0f, z = 0.0f;
    for (int j = lane; j < n; j += 32) {
        float4 other = bodies[j];
        float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
        float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
        float force = other.w * inverse * inverse * inverse;
        x += dx * force;
        y += dy * force;
        z += dz * force;
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        x += __shfl_down_sync(0xffffffffu, x, offset);
        y += __shfl_down_sync(0xffffffffu, y, offset);
        z += __shfl_down_sync(0xffffffffu, z, offset);
    }
    if (lane == 0)
        out[i] = make_float4(x, y, z, 0.0f);
}
