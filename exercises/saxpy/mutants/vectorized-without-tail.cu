// A float4 that starts inside the vector may end outside of it.
__global__ void saxpy(int n, float alpha, const float *x, float *y)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (i < n) {
        float4 a = *(const float4 *)(x + i);
        float4 b = *(float4 *)(y + i);
        b.x += alpha * a.x;
        b.y += alpha * a.y;
        b.z += alpha * a.z;
        b.w += alpha * a.w;
        *(float4 *)(y + i) = b;
    }
}
