// As few_blocks, but a thread has four neighbouring weights, and a block each its own. n is a multiple of
// four.
__device__ void step_of_one(float *weight, float *mean, float *square, float slope, float mean_scale,
                            float square_scale)
{
    *mean = 0.9f * *mean + 0.1f * slope;
    *square = 0.999f * fabsf(*square) + 0.001f * slope * slope;
    *weight -= __fdividef(0.001f * *mean * mean_scale, sqrtf(*square * square_scale) + 1e-8f);
}

__global__ void update(float *weights, float *means, float *squares, const float *slopes, int n, int step)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 4)
        return;
    float mean_scale = __fdividef(1.0f, 1.0f - __powf(0.9f, (float)step));
    float square_scale = __fdividef(1.0f, 1.0f - __powf(0.999f, (float)step));
    float4 slope = ((const float4 *)slopes)[i], weight = ((float4 *)weights)[i];
    float4 mean = ((float4 *)means)[i], square = ((float4 *)squares)[i];
    step_of_one(&weight.x, &mean.x, &square.x, slope.x, mean_scale, square_scale);
    step_of_one(&weight.y, &mean.y, &square.y, slope.y, mean_scale, square_scale);
    step_of_one(&weight.z, &mean.z, &square.z, slope.z, mean_scale, square_scale);
    step_of_one(&weight.w, &mean.w, &square.w, slope.w, mean_scale, square_scale);
    ((float4 *)weights)[i] = weight;
    ((float4 *)means)[i] = mean;
    ((float4 *)squares)[i] = square;
}
