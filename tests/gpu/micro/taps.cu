// Neighbouring words by neighbouring lanes: ROWS rows of TAPS words a thread, rows `pitch` words apart,
// blocks of 32 * 8. Blocks have AREAS * AREAS areas in turn.
__global__ void run(const float *in, float *out, int pitch)
{
    unsigned block = blockIdx.x % (AREAS * AREAS);
    int x = block % AREAS * 32 + threadIdx.x, y = block / AREAS * 8 + threadIdx.y;
    float sum = 0.0f;
#pragma unroll
    for (int row = 0; row < ROWS; row++)
#pragma unroll
        for (int tap = 0; tap < TAPS; tap++)
            sum += in[(y + row) * pitch + x + tap];
    if (STORE || sum == 1.5f)
        out[(blockIdx.x * 8 + threadIdx.y) * 32 + threadIdx.x] = sum;
}
