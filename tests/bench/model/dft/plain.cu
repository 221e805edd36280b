// The Fourier transform of rows of 256 numbers as the formula has it: a block a row, a thread a frequency, which
// takes the sine and the cosine of each angle.
__global__ void transform(const float *in, float2 *out)
{
    const float *row = in + (size_t)blockIdx.x * 256;
    int k = threadIdx.x;
    float real = 0.0f, imaginary = 0.0f;
    for (int t = 0; t < 256; t++) {
        float angle = -2.0f * 3.14159265f * k * t / 256;
        real += row[t] * cosf(angle);
        imaginary += row[t] * sinf(angle);
    }
    out[(size_t)blockIdx.x * 256 + k] = make_float2(real, imaginary);
}
