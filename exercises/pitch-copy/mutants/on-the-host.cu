void solve(const float *image, float *out, float gain, int rows, int cols, int stride)
{
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++)
            out[r * cols + c] = gain * image[r * stride + c];
}
