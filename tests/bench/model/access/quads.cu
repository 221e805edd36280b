// Adds one to each byte, 16 bytes a thread.
__global__ void increment(uint4 *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 16)
        return;
    uint4 v = data[i];
    data[i] = make_uint4(__vadd4(v.x, 0x01010101u), __vadd4(v.y, 0x01010101u),
                         __vadd4(v.z, 0x01010101u), __vadd4(v.w, 0x01010101u));
}
