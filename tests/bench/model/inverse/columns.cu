// As records, but the matrices' first numbers stand side by side, then their second ones, and so on.
__global__ void invert(const float *matrices, float *inverses, int n)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= n)
        return;
    float m[16], out[16];
    for (int i = 0; i < 16; i++)
        m[i] = matrices[(size_t)i * n + at];
    float a0 = m[0] * m[5] - m[1] * m[4], a1 = m[0] * m[6] - m[2] * m[4];
    float a2 = m[0] * m[7] - m[3] * m[4], a3 = m[1] * m[6] - m[2] * m[5];
    float a4 = m[1] * m[7] - m[3] * m[5], a5 = m[2] * m[7] - m[3] * m[6];
    float b0 = m[8] * m[13] - m[9] * m[12], b1 = m[8] * m[14] - m[10] * m[12];
    float b2 = m[8] * m[15] - m[11] * m[12], b3 = m[9] * m[14] - m[10] * m[13];
    float b4 = m[9] * m[15] - m[11] * m[13], b5 = m[10] * m[15] - m[11] * m[14];
    float over = 1.0f / (a0 * b5 - a1 * b4 + a2 * b3 + a3 * b2 - a4 * b1 + a5 * b0);
    out[0] = (m[5] * b5 - m[6] * b4 + m[7] * b3) * over;
    out[1] = (-m[1] * b5 + m[2] * b4 - m[3] * b3) * over;
    out[2] = (m[13] * a5 - m[14] * a4 + m[15] * a3) * over;
    out[3] = (-m[9] * a5 + m[10] * a4 - m[11] * a3) * over;
    out[4] = (-m[4] * b5 + m[6] * b2 - m[7] * b1) * over;
    out[5] = (m[0] * b5 - m[2] * b2 + m[3] * b1) * over;
    out[6] = (-m[12] * a5 + m[14] * a2 - m[15] * a1) * over;
    out[7] = (m[8] * a5 - m[10] * a2 + m[11] * a1) * over;
    out[8] = (m[4] * b4 - m[5] * b2 + m[7] * b0) * over;
    out[9] = (-m[0] * b4 + m[1] * b2 - m[3] * b0) * over;
    out[10] = (m[12] * a4 - m[13] * a2 + m[15] * a0) * over;
    out[11] = (-m[8] * a4 + m[9] * a2 - m[11] * a0) * over;
    out[12] = (-m[4] * b3 + m[5] * b1 - m[6] * b0) * over;
    out[13] = (m[0] * b3 - m[1] * b1 + m[2] * b0) * over;
    out[14] = (-m[12] * a3 + m[13] * a1 - m[14] * a0) * over;
    out[15] = (m[8] * a3 - m[9] * a1 + m[10] * a0) * over;
    for (int i = 0; i < 16; i++)
        inverses[(size_t)i * n + at] = out[i];
}
